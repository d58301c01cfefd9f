// What an area of the attack is. A case is drawn from its number alone, as a plan in plain values, so that it can be
// run again, made smaller, and kept.
import type { Random } from '../../test/support/data.js';

export interface Attack<Plan = unknown> {
  /** A case. Takes nothing but the random numbers. */
  draw(random: Random): Plan;
  /** Runs it, and says in a word how it ended; throws where a promise was broken. */
  run(plan: Plan): Promise<string> | string;
  /** How many cases a plan is. Default 1. */
  size?(plan: Plan): number;
  /** Plans with less in them, the smallest first, to find out what a finding needs. */
  smaller?(plan: Plan): Iterable<Plan>;
  /** Files that show a finding without this program. */
  evidence?(plan: Plan): Readonly<Record<string, Uint8Array | string>>;
  /** Brings everything to rest before memory, threads and handles are counted. */
  rest?(): Promise<void>;
}

export interface Area {
  readonly name: string;
  /** What is promised, and attacked. */
  readonly about: string;
  /** Its part of the time. */
  readonly share: number;
  /** Seconds after which a case counts as hanging. Default 30. */
  readonly patience?: number;
  /** Builds what all cases share; undefined where this machine lacks something, which is printed. */
  begin(): Promise<Attack | undefined>;
}

/** Hides the plan of an area from those who only hand it on. */
export function attack<Plan>(made: Attack<Plan>): Attack {
  return made as Attack;
}

/** A broken promise. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export function promise(isKept: boolean, what: () => string): asserts isKept {
  if (!isKept) throw new Broken(what());
}

/** The code of an error that was thrown on purpose; all others are findings. */
export function codeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string };
  if (error instanceof Error && name === 'CurvadError' && code !== undefined) return code;
  throw error;
}

/** Which error two findings have in common: its words without numbers, and where it was thrown. */
export function signatureOf(error: unknown): string {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const words = message
    .split('\n', 1)[0]
    ?.replace(/-?\d[\d.e+-]*/g, '#')
    .replace(/(#|NaN)(,(#|NaN))+/g, '#…')
    .slice(0, 140);
  const place = /\n\s+at (?!promise)(.+)/.exec(stack ?? '')?.[1]?.replace(/:\d+:\d+\)?$/, '');
  return `${name}: ${words} at ${place?.replace(/file:.*\//, '')}`;
}
