// Ctrl-C and other signals. While the event loop runs, a handler removes unfinished files and sets the exit code.
// During synchronous work the handler could not run, so the default action is restored, which ends the process at once
// (shells see 130 as well); no file is open then.
import { exit, stderr } from 'node:process';
import { EXIT } from './errors.js';
import { removeUnfinished } from './output.js';

const CODES = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof CODES;

/** Removes unfinished files; nothing more may be written. */
export function leave(code: number): never {
  removeUnfinished();
  exit(code);
}

/** A command's own shutdown, given the exit code; a second signal ends the process at once. */
let ending: ((code: number) => void) | undefined;

/** Calls this on a signal, for commands that run until they are stopped. */
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

/** Runs synchronous work that can still be interrupted. */
export function interruptible<Result>(work: () => Result): Result {
  stopListening();
  try {
    return work();
  } finally {
    listenForInterrupts();
  }
}
