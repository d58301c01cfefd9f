// Ctrl-C and its like. While the event loop turns, a handler removes unfinished files and sets the exit code.
// Work that keeps the loop waiting would not let it run: for that time the system's own way is restored, which
// ends the process at once (shells see 130 as well); no file is open then.
import { exit, stderr } from 'node:process';
import { EXIT } from './errors.js';
import { removeUnfinished } from './output.js';

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof CODES;

/** Nothing that was begun may remain, and nothing more may be written. */
export function leave(code: number): never {
  removeUnfinished();
  exit(code);
}

/** What is to be ended in its own way, given the exit code; a second signal ends it at once. */
let ending: ((code: number) => void) | undefined;

/** Has a signal end the process by calling this, for commands that run until they are told to stop. */
export function onInterrupt(end: (code: number) => void): void {
  ending = end;
}

function onSignal(signal: Signal): void {
  const end = ending;
  ending = undefined;
  if (end !== undefined) {
    end(CODES[signal]);
    return;
  }
  if (stderr.isTTY) stderr.write('\r\x1b[K');
  leave(CODES[signal]);
}

export function listenForInterrupts(): void {
  for (const signal of Object.keys(CODES) as Signal[]) process.on(signal, onSignal);
}

/** Has signals end the process at once, for commands that leave nothing behind and may wait without the event loop. */
export function stopListening(): void {
  for (const signal of Object.keys(CODES) as Signal[]) process.off(signal, onSignal);
}

/** Work that does not let the event loop turn, and can be interrupted all the same. */
export function interruptible<Result>(work: () => Result): Result {
  stopListening();
  try {
    return work();
  } finally {
    listenForInterrupts();
  }
}
