// Where the runtimes are, and how a program of theirs is run.
import { execFileSync, type StdioOptions } from 'node:child_process';
import { resolve } from 'node:path';

export const RUNTIMES = resolve('test/runtimes/installed/node_modules');

/** Runs a program and returns what it prints; its errors are part of a failure. */
export function run(program: string, args: readonly string[], cwd: string): string {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  try {
    return execFileSync(program, args, { cwd, stdio, encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 28 });
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${(stdout ?? '').slice(-2000)}${stderr ?? ''}`);
  }
}
