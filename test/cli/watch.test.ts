// curvad watch as a process: answers at once, what it makes of lines that are wrong, and how it is stopped and resumed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sparkline } from '../../src/cli/watch/live-line.js';
import { KNN, LandmarkCAD, LOF } from '../../src/index.js';
import { SeriesDetector, SlidingWindow } from '../../src/streams/index.js';

const folder = mkdtempSync(join(tmpdir(), 'curvad-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = Array.from({ length: 260 }, (_, t) => [Math.sin(t / 7), t % 200 === 199 ? 9 : Math.cos(t / 5)]);

function run(args: readonly string[], input: string): { out: string[]; err: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/cli.js', 'watch', ...args], {
    input,
    encoding: 'utf8',
  });
  return { out: stdout.trimEnd().split('\n'), err: stderr, status };
}

/** What the library answers, as the command writes it. */
function answers(window: SlidingWindow, given: readonly number[][], first: number): string[] {
  return given.map((row, i) => {
    const score = window.update(row);
    return `${i + first},${Number.isNaN(score) ? '' : score},${Number(window.isAlarm)}`;
  });
}

it('answers every line of CSV with score and alarm, as the library does', () => {
  const csv = `when;x;y\n${rows.map(([x, y], t) => `"at; ${t}";${x};${y}`).join('\r\n')}\r\n`;
  const { out, err, status } = run(['-', '--window', '100', '--warmup', '50', '--alarm-rank', '2'], csv);
  const window = new SlidingWindow(new LandmarkCAD(), { window: 100, warmup: 50, alarmRank: 2 });
  expect(out).toEqual(['line,score,alarm', ...answers(window, rows, 2)]);
  expect(out[200]).toMatch(/^201,.*,1$/);
  expect(err).toMatch(/260 rows, \d+ alarms?/);
  expect(status).toBe(0);
});

it('answers lines of JSON in JSON, by names in any order, and only alarms if asked', () => {
  const json = rows.map(([x, y], t) => JSON.stringify(t % 2 ? { id: 'a', y, x } : { x, y, id: 'b' })).join('\n');
  const args = ['-', '--method', 'knn', '--k', '3', '--window', '90', '--keep-clean', '-q'];
  const window = new SlidingWindow(new KNN({ neighbors: 3 }), { window: 90, learnAnomalies: false });
  const expected = rows.map((row, t) => {
    const score = window.update(row);
    return { line: t + 1, score: Number.isNaN(score) ? null : score, alarm: window.isAlarm };
  });
  expect(run(args, json).out.map((line) => JSON.parse(line))).toEqual(expected);
  const alarms = run([...args, '--alarms'], json).out.map((line) => JSON.parse(line));
  expect(alarms).toEqual(expected.filter(({ alarm }) => alarm));
  expect(alarms.length).toBeGreaterThan(0);
});

it('watches one value over time', () => {
  const values = Array.from({ length: 700 }, (_, t) => (t === 600 ? 40 : Math.sin(t / 5)));
  const { out } = run(['-', '--series', '-q'], values.join('\n'));
  const detector = new SeriesDetector();
  expect(out.slice(1)).toEqual(
    values.map((value, t) => `${t + 1},${detector.update(value)},${Number(detector.isAlarm)}`),
  );
  expect(out[601]).toBe('601,1,1');
});

it('watches several values over time, and takes none of them from a column of times', () => {
  const values = Array.from({ length: 400 }, (_, t) => [Math.sin(t / 5), t === 300 ? 9 : (t % 4) / 1e3]);
  const { out } = run(['-', '--series', '-q'], `Time,a,b\n${values.map((row, t) => `${1.6e9 + t},${row}`).join('\n')}`);
  const detector = new SeriesDetector();
  expect(out.slice(1)).toEqual(values.map((row, t) => `${t + 2},${detector.update(row)},${Number(detector.isAlarm)}`));
  expect(out[301]).toBe('302,1,1');
});

it('passes over lines that cannot be read or lack a value, and says which', () => {
  const lines = rows.map((row) => row.join());
  lines.splice(200, 0, '1,oops', '1,2,3', '0.5,');
  const { out, err, status } = run(['-', '--no-header', '--method', 'lof', '--standardize'], lines.join('\n'));
  expect(out.slice(201, 204)).toEqual(['201,,0', '202,,0', '203,,0']);
  expect(err).toContain(`line 201: "2" is "oops", which is not a number`);
  expect(err).toContain('line 202: it has 3 fields, the lines before it have 2');
  expect(err).toContain('2 lines not read');
  expect(status).toBe(0);
  const window = new SlidingWindow(new LOF({ neighbors: 20, standardize: true }));
  expect(out.slice(204)).toEqual(
    answers(window, rows, 1)
      .slice(200)
      .map((line) => line.replace(/^\d+/, (n) => String(Number(n) + 3))),
  );
});

it('goes on from what it saved', () => {
  const state = join(folder, 'state');
  const lines = rows.map((row) => row.join());
  const whole = run(['-', '--window', '80', '-q'], lines.join('\n')).out;
  const first = run(['-', '--window', '80', '--resume', state, '--save', state], lines.slice(0, 150).join('\n'));
  expect(first.err).toContain('does not exist yet');
  const second = run(['-', '--resume', state, '--save', state, '-q'], lines.slice(150).join('\n'));
  const scoresOf = (out: string[]): string[] => out.slice(1).map((line) => line.replace(/^\d+/, ''));
  expect([...scoresOf(first.out), ...scoresOf(second.out)]).toEqual(scoresOf(whole));
  expect(run(['-', '--resume', state, '--window', '5'], '1,2').err).toContain('--window is stored in');
  expect(run(['-', '--resume', join(folder, 'none')], '1,2').err).toContain('no such file');
});

it('answers a line before the next one comes, and saves when it is interrupted', async () => {
  const state = join(folder, 'interrupted');
  const child = spawn(process.execPath, ['dist/cli.js', 'watch', '-', '--window', '50', '--k', '7', '--save', state]);
  const window = new SlidingWindow(new LandmarkCAD({ neighbors: 7 }), { window: 50 });
  const ended = once(child, 'exit').then(() => {
    throw new Error('it ended early');
  });
  ended.catch(() => {});
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  const expected = ['line,score,alarm', ...answers(window, rows.slice(0, 40), 1)];
  for (const [i, row] of rows.slice(0, 40).entries()) {
    child.stdin.write(`${row.join()}\n`);
    while (out.split('\n').length < i + 3) await Promise.race([once(child.stdout, 'data'), ended]);
  }
  expect(out.trimEnd().split('\n')).toEqual(expected);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
  expect(existsSync(state)).toBe(true);
  expect(new Uint8Array(readFileSync(state))).toEqual(window.toBytes());
});

it('says what is wrong with how it was called', () => {
  const file = join(folder, 'rows.csv');
  writeFileSync(file, 'a,b\n1,2\n');
  for (const [args, message, status] of [
    [[], 'watch needs a file', 1],
    [[file, '--series', '--standardize'], '--series has no --standardize', 1],
    [[file, '--columns', 'c'], 'there is no column "c"; there are a, b', 2],
    [[file, '--save', file], 'is the input', 1],
    [[file, '--method', 'lof', '--window', '5'], 'window must be', 1],
    [[join(folder, 'none.csv')], 'no such file', 2],
    [['-'], 'there were no rows', 2],
  ] as const) {
    const { err, status: exit } = run(args, '');
    expect(err).toContain(message);
    expect(exit).toBe(status);
  }
});

it('draws scores from lowest to highest', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([5, 5])).toBe('▁▁');
  expect(sparkline([])).toBe('');
});
