// What survives a run: how far each area came, and reproductions of findings.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromText, toText } from './values.js';

export const FOUND = fileURLToPath(new URL('found/', import.meta.url));
const STATE = join(FOUND, 'state.json');

export interface Progress {
  /** The number of the next case. */
  next: number;
  cases: number;
  seconds: number;
  findings: number;
}

export interface State {
  readonly seed: number;
  readonly areas: Record<string, Progress>;
}

export interface Reproduction {
  readonly area: string;
  readonly seed: number;
  readonly number: number;
  readonly error: string;
  readonly plan: unknown;
}

/** How far the last run with a seed came; undefined where there was none. */
export function readState(seed: number): State | undefined {
  if (!existsSync(STATE)) return undefined;
  const state = JSON.parse(readFileSync(STATE, 'utf8')) as State;
  return state.seed === seed ? state : undefined;
}

export function writeState(state: State): void {
  mkdirSync(FOUND, { recursive: true });
  writeFileSync(STATE, `${JSON.stringify(state, undefined, 2)}\n`);
}

/** Writes a reproduction, and the files that show it alone; returns its path. */
export function keep(
  found: Reproduction,
  signature: string,
  evidence: Readonly<Record<string, Uint8Array | string>> = {},
): string {
  mkdirSync(FOUND, { recursive: true });
  const name = `${found.area}-${createHash('sha256').update(signature).digest('hex').slice(0, 10)}`;
  for (const [suffix, content] of Object.entries(evidence)) writeFileSync(join(FOUND, `${name}.${suffix}`), content);
  const path = join(FOUND, `${name}.json`);
  writeFileSync(path, `${toText(found)}\n`);
  return path;
}

export const readReproduction = (path: string): Reproduction => fromText(readFileSync(path, 'utf8')) as Reproduction;
