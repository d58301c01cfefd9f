// Evaluations in several processes, and those of a run that was stopped.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { paper } from '../../../../bench/paper/command.js';
import { tableOf } from '../../../../bench/paper/models/model.js';
import { Progress } from '../../../../bench/paper/progress.js';
import { evaluateAll } from '../../../../bench/paper/prototypes/evaluations.js';
import type { Problem } from '../../../../bench/paper/prototypes/problems.js';
import { Random } from '../../../support/data.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'curvad-table3-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Three heaps of 20 rows, in the place of iris. */
function makeIris(): void {
  const random = new Random(7);
  const labels = Array.from({ length: 60 }, (_, row) => row % 3);
  const values = Float64Array.from(labels.flatMap((label) => [1, 2].map(() => random.gaussian() + 3 * label)));
  const bytes = new Uint8Array(values.buffer);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(folder, 'iris.bin'), bytes);
  writeFileSync(join(folder, 'iris.json'), JSON.stringify({ n: 60, d: 2, dtype: 'float64', sha256, labels }));
}

describe('npm run paper -- table3', () => {
  it('gives the same in two processes as in one, and says which data are missing', async () => {
    makeIris();
    const words = ['table3', '--fresh', '--quick', '--data', folder];
    const quiet = new Progress({ write: () => true });
    const one = await paper([...words, '--processes', '1', '--out', join(folder, 'one.md')], undefined, quiet);
    const out = join(folder, 'two.md');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'bench/paper/main.ts', ...words, '--processes', '2', '--out', out],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect({ status, stderr: stderr.match(/^paper: .*/m)?.[0] }).toEqual({ status: 0, stderr: undefined });
    expect(stderr).toMatch(/^1\/21 iris: selecting\n/m);
    expect(stderr).toMatch(/^21\/21 iris: (K-means|Birch), fold \d+\n/m);
    const figures = (text: string) =>
      text.split('\n').filter((line) => /^\| iris +\| (K-means|Birch|% kept)/.test(line));
    expect(figures(one).length).toBe(2 * (2 * 3 + 3));
    expect(figures(stdout)).toEqual(figures(one));
    expect(one).toMatch(/\| pima +\| 1NN +\| 20 % \| not measured: no data/);
    expect(one).toMatch(/^`npm run paper -- table3 --quick`, curvad/m);
    expect(one).toMatch(/\*\*Quick:\*\* MLP is measured on the first 5 of the 10 folds only/);
    expect(one).toMatch(/^There is no data for facebook\.$/m);
    expect(one).toMatch(/\*\*Ranking, as defined:\*\* \d+ of 48 cells agree/);
    expect(one).not.toContain(folder);
    expect(readFileSync(out, 'utf8')).toContain(stdout.trim());
  });
});

describe('evaluations that are kept', () => {
  const X = tableOf([[0], [10], [1], [4]]);
  const problem: Problem = { name: 'two', task: 'classification', X, labels: [3, 8, 3, 8] };
  const [train, test] = [Uint32Array.of(0, 1), Uint32Array.of(2, 3)];
  const nearest = { problem: 'two', model: '1NN', train, test };
  const run = async (file: URL, problems: readonly Problem[] = [problem], evaluation = nearest) => {
    const done: number[] = [];
    const scores = await evaluateAll(problems, [evaluation], {
      processes: 1,
      file,
      onDone: (place) => done.push(place),
    });
    expect(done).toEqual([0]);
    return scores;
  };

  it('are not done again', async () => {
    const file = pathToFileURL(join(folder, 'kept.txt'));
    expect(await run(file)).toEqual([50]);
    writeFileSync(file, readFileSync(file, 'utf8').replace(' 50\n', ' 12.5\n'));
    expect(await run(file)).toEqual([12.5]);
  });

  it('are done again where anything differs', async () => {
    const file = pathToFileURL(join(folder, 'differs.txt'));
    await run(file);
    writeFileSync(file, readFileSync(file, 'utf8').replace(' 50\n', ' 12.5\n'));
    expect(await run(file, [problem], { ...nearest, test: Uint32Array.of(2) })).toEqual([100]);
    expect(await run(file, [problem], { ...nearest, train: Uint32Array.of(0, 3) })).toEqual([100]);
    expect(await run(file, [{ ...problem, labels: [3, 8, 3, 3] }])).toEqual([100]);
  });

  it('count only if they were written to the end', async () => {
    const file = pathToFileURL(join(folder, 'torn.txt'));
    await run(file);
    writeFileSync(file, readFileSync(file, 'utf8').replace(' 50\n', ' 5'));
    expect(await run(file)).toEqual([50]);
  });

  it('say what failed', async () => {
    const none = { ...nearest, train: new Uint32Array() };
    const running = { processes: 1, onDone: () => {} };
    await expect(evaluateAll([problem], [none], running)).rejects.toThrow('two, 1NN on 0 rows: ');
  });
});
