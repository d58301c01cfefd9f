// No text may keep a regular expression busy for longer than its length explains: cells, names and headers come from
// strangers. Every expression of the built package, its dependencies included, is tried on texts that make bad ones
// try the same characters again and again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rollup/parseAst';
import { describe, expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../dist');

/** Repeated to make a long text. */
const PUMPS = [
  ...'01aAeT \t.,-+_"\'\\\n:;/([]{}*=<%$é\u0000#?~!\u202f',
  ...['\r\n', '1,', '1.', '1 ', 'a ', '1e', '1_', '1:', '",', '""', '--', '[a', '{a,', '00:', '111,', 'jan ', 'id'],
];
const BEFORE = ['', '1', 'a', '"'];
const BEHIND = ['', 'x', '!', '\n', ' x'];
const LENGTH = 2000;

type Node = Readonly<Record<string, unknown>>;

function* expressionsIn(node: unknown): Generator<{ pattern: string; flags: string }> {
  if (typeof node !== 'object' || node === null) return;
  const { regex } = node as { regex?: { pattern: string; flags: string } };
  if (regex !== undefined) yield regex;
  else for (const child of Object.values(node as Node)) yield* expressionsIn(child);
}

function expressions(): RegExp[] {
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.js') && !path.startsWith('cjs'),
  );
  const found = new Map<string, RegExp>();
  for (const path of files)
    for (const { pattern, flags } of expressionsIn(parseAst(readFileSync(join(DIST, path), 'utf8'))))
      found.set(`${pattern} ${flags}`, new RegExp(pattern, flags));
  return [...found.values()];
}

/** Milliseconds that an expression takes with a text: the least of some runs, as others use the machine, too. */
function timeOf(expression: RegExp, text: string, runs: number): number {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    expression.lastIndex = 0;
    if (expression.global) text.replace(expression, '');
    else expression.test(text);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/** Whether four times the text takes far more than four times as long: again and again, as others use the machine. */
function isSuperLinear(expression: RegExp, text: (length: number) => string): boolean {
  for (let attempt = 0; attempt < 4; attempt++) {
    const [short, long] = [timeOf(expression, text(LENGTH), 5), timeOf(expression, text(4 * LENGTH), 5)];
    if (long < 2 || long < 9 * short) return false;
  }
  return true;
}

/** The pump that costs more than its length explains, if there is one. */
function weaknessOf(expression: RegExp): string | undefined {
  for (const before of BEFORE)
    for (const pump of PUMPS)
      for (const behind of BEHIND) {
        const text = (length: number): string => before + pump.repeat(length) + behind;
        if (timeOf(expression, text(25), 1) > 20 && timeOf(expression, text(25), 3) > 20) return pump; // exponential
        if (timeOf(expression, text(LENGTH), 1) > 1 && isSuperLinear(expression, text)) return pump;
      }
  return undefined;
}

describe('a regular expression of the package', () => {
  const found = expressions();

  it('is found', () => {
    expect(found.length).toBeGreaterThan(60);
    expect(weaknessOf(/^\d+\.?\d*$/)).toBe('0');
    expect(weaknessOf(/^(\d+,?)+$/)).toBe('0');
  });

  it('takes time in proportion to the length of the text', () => {
    const weak = found.flatMap((expression) => {
      const pump = weaknessOf(expression);
      return pump === undefined ? [] : [`${expression} on ${JSON.stringify(pump)} repeated`];
    });
    expect(weak).toEqual([]);
  });
});
