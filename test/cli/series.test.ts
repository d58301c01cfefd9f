// curvad detect --series as a process: the order of rows, what is written, and the report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeriesDetector } from '../../src/streams/index.js';

const folder = mkdtempSync(join(tmpdir(), 'curvad-series-'));
const file = join(folder, 'load.csv');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const values = Array.from({ length: 600 }, (_, t) => [Math.sin(t / 9), t === 500 ? 9e4 : 1e4 * Math.cos(t / 7)]);
const dateOf = (t: number): string => new Date(Date.UTC(2024, 0, 1, 0, 10 * t)).toISOString().slice(0, 16);
/** Every tenth row comes one too late. */
const order = values.map((_, t) => t).sort((a, b) => (a % 10 === 5 ? a + 1.5 : a) - (b % 10 === 5 ? b + 1.5 : b));

beforeAll(() => {
  const lines = order.map((t) => `${dateOf(t)},m${t % 4},${values[t]}`);
  lines.splice(100, 0, ',m1,5,5', `${dateOf(90)},m1,,5`);
  writeFileSync(file, `when,machine,a,b\n${lines.join('\n')}\n`);
});

function run(args: readonly string[]): { out: string; err: string; status: number | null } {
  const done = spawnSync(process.execPath, ['dist/cli.js', 'detect', ...args], { encoding: 'utf8' });
  return { out: done.stdout, err: done.stderr, status: done.status };
}

function expected(): { score: number; alarm: number }[] {
  const detector = new SeriesDetector();
  return values.map((row) => ({ score: detector.update(row), alarm: Number(detector.isAlarm) }));
}

describe('curvad detect --series', () => {
  it('scores rows in the order of their times, and says what it did to them', () => {
    const [out, model] = [join(folder, 'scores.csv'), join(folder, 'state')];
    const { err, status } = run([file, '--series', '--columns', 'a,b', '--id', 'machine', '-o', out, '--save', model]);
    expect(status).toBe(0);
    expect(err).toContain('the time column is "when"');
    expect(err).toContain('omitted 1 row without a time in "when"');
    expect(err).toContain('sorted rows by "when"');
    const [head, ...lines] = readFileSync(out, 'utf8').trim().split('\n');
    expect(head).toBe('row,when,machine,score,alarm');
    const written = lines.map((line) => line.split(','));
    expect(written.map(([, when]) => when?.replace(' ', 'T'))).toEqual(values.map((_, t) => dateOf(t)));
    expect(written.map(([, , machine]) => machine)).toEqual(values.map((_, t) => `m${t % 4}`));
    expect(written.map(([, , , score, alarm]) => ({ score: Number(score), alarm: Number(alarm) }))).toEqual(expected());
    const detector = SeriesDetector.load(readFileSync(model));
    expect([detector.seen, detector.columns]).toEqual([600, 2]);
  });

  it('reports values and alarms over time, without anything that runs', () => {
    const report = join(folder, 'report.html');
    const { out } = run([file, '--series', '--columns', 'a,b', '--report', report, '--json', '--top', '9']);
    const { top } = JSON.parse(out) as { top: Array<{ time: string; score: number; alarm: boolean }> };
    expect(top).toContainEqual(expect.objectContaining({ time: dateOf(500).replace('T', ' '), score: 1, alarm: true }));
    const html = readFileSync(report, 'utf8');
    const alarms = expected().reduce((sum, { alarm }) => sum + alarm, 0);
    expect(html.match(/<circle class="h8"/g)).toHaveLength(3 * alarms);
    expect(html).toContain('days since 2024-01-01 00:00');
    expect(html).not.toContain('<script');
  });

  it('goes by numbers with the name of a time, or by the order of the file', () => {
    const numbered = join(folder, 'numbered.csv');
    writeFileSync(numbered, `timestamp,v\n${[3, 1, 2].map((t) => `${1.7e9 + t},${t}.5`).join('\n')}\n`);
    const columns = (args: string[]): unknown =>
      (JSON.parse(run([...args, '--series', '--json']).out) as { columns: unknown }).columns;
    expect(columns([numbered])).toEqual(['v']);
    const bare = join(folder, 'bare.csv');
    writeFileSync(bare, `v\n${[3, 1, 2].join('\n')}\n`);
    expect(run([bare, '--series']).err).toContain('rows are taken in file order');
  });

  it.each([
    [['--series', '--method', 'lof'], '--method cannot be combined with --series'],
    [['--series', '--threshold', '3'], '--threshold cannot be combined with --series'],
    [['--time', 'when'], '--time is for --series'],
    [['--series', '--time', 'wen'], 'did you mean "when"'],
    [['--series', '--time', 'machine'], '"machine" contains neither times nor numbers'],
    [['--series', '--report', 'x.pdf'], 'html'],
  ])('refuses %s', (args, message) => {
    const { err, status } = run([file, ...args]);
    expect(err).toContain(message);
    expect(status).not.toBe(0);
  });
});
