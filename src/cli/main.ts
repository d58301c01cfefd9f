#!/usr/bin/env node
// The command line: finds the command, runs it, and turns any error into one line and an exit code.
import { argv, stderr, stdout } from 'node:process';
import { closest } from '../core/closest.js';
import { VERSION } from '../core/version.js';
import { helpOf, parse } from './command.js';
import { COMMANDS, overview } from './commands/all.js';
import { runExample } from './commands/example.js';
import { EXIT, failureOf, quote, UsageError } from './errors.js';
import { leave, listenForInterrupts } from './interrupts.js';
import { Terminal } from './terminal.js';

listenForInterrupts();
// The reader closed the pipe (as `| head` does): not an error.
stdout.on('error', (error: NodeJS.ErrnoException) => fail(error));
stderr.on('error', () => leave(EXIT.data));

function fail(error: unknown): never {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') leave(EXIT.ok);
  const { message, exitCode } = failureOf(error);
  new Terminal().fail(message);
  leave(exitCode);
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) return runExample();
  if (name === '--help' || name === '-h' || (name === 'help' && args.length === 0)) {
    stdout.write(overview());
    return;
  }
  if (name === '--version' || name === '-v') {
    stdout.write(`${VERSION}\n`);
    return;
  }
  if (name === 'help') return main([args[0] as string, '--help']);
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const meant = closest(name, Object.keys(COMMANDS));
    throw new UsageError(
      `there is no command ${quote(name)}${meant ? `: did you mean ${meant}?` : '.'} Try curvad --help.`,
    );
  }
  const command = await entry.load();
  const given = parse(command, args);
  if (given.flag('help')) stdout.write(helpOf(command));
  else await command.run(given, new Terminal({ isQuiet: given.flag('quiet') }));
}

main(argv.slice(2)).catch(fail);
