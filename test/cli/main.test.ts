// The command as a new user meets it: the built file, run by Node.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeExample } from '../../src/cli/example.js';

function run(...args: string[]) {
  return spawnSync(process.execPath, ['dist/cli.js', ...args], { encoding: 'utf8' });
}

describe('the curvad command', () => {
  it('runs the detector on the example and names rows, threshold, what ran, and what to try next', () => {
    const { stdout, stderr, status } = run();
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/Threshold {3}[\d.]+: \d+ rows above it/);
    expect(stdout).toMatch(/What ran {4}LandmarkCAD.* on (js|wasm-)/);
    expect(stdout).toMatch(/Training row \d+ is an anomaly[\s\S]*It stands out by/);
    expect(stdout).toMatch(/rows per second/);
    expect(stdout).toContain('Try next');
  });

  it('ranks rows that were made wrong on purpose first', () => {
    const { stdout } = run();
    const table = stdout.split('\n').filter((line) => /^ +\d+ +[\d.]+ /.test(line));
    expect(table.length).toBe(12);
    const { planted } = makeExample();
    for (const line of table.slice(0, 8)) expect(planted.has(Number(line.trim().split(/\s+/)[0]))).toBe(true);
    const scores = table.map((line) => Number(line.trim().split(/\s+/)[1]));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('prints the same example every time', () => {
    const table = () => run().stdout.split('\n').slice(0, 17);
    expect(table()).toEqual(table());
  });

  it('prints help and the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(run('--help').stdout).toContain('Usage');
    expect(run('--version').stdout.trim()).toBe(version);
  });

  it('refuses an unknown command with one line and exit code 1', () => {
    const { stderr, status } = run('nonsense');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^curvad: there is no command "nonsense".*\n$/);
  });
});
