// Manners at a terminal: progress and colours where there is one, and nothing of the kind where there is none.
import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { helpOf } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/commands/all.js';
import { METHOD_NAMES } from '../../src/cli/methods.js';
import { SELECTOR_NAMES } from '../../src/cli/selectors.js';
import { installedCli, readings } from './support.js';

const cli = installedCli();
const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) console.warn('skipped: progress on a terminal (needs the program `script`)');

describe.skipIf(!hasScript)('on a terminal', () => {
  /** What is seen on a terminal. */
  const onTerminal = (line: string) => cli.shell(`script -qefc "${line}" /dev/null < /dev/null`).stdout;

  it('shows a bar with rate and remaining time for work of over a second, on standard error only', () => {
    cli.write('slow.csv', readings(20_000).csv);
    const detect =
      '$curvad detect slow.csv --method cad --kernel polynomial --threads 0 --ignore name,bad -f csv --scores-only';
    const seen = onTerminal(`${detect} > out.csv`);
    expect(seen).toMatch(/Fitting\s+█*░+\s+\d+ %/);
    expect(seen).toMatch(/rows\/s/);
    expect(seen).toMatch(/ left/);
    expect(cli.shell('head -n 2 out.csv').stdout).toMatch(/^row,score,anomaly,probability\n0,/);
    expect(onTerminal(`${detect} -q > out.csv`).trim()).toBe('');
    expect(cli.shell('head -n 2 out.csv').stdout).toMatch(/^row,score,anomaly,probability\n0,/);
  }, 180_000);

  it('uses colours, unless NO_COLOR says otherwise', () => {
    cli.write('small.csv', readings(60).csv);
    const detect = '$curvad detect small.csv --columns a,b';
    expect(onTerminal(detect)).toContain('\x1b[1m');
    expect(onTerminal(`NO_COLOR=1 ${detect}`)).not.toContain('\x1b[');
    expect(cli.shell(detect).stdout).not.toContain('\x1b[');
  });
});

describe('help', () => {
  it('lists every command, and the exit codes', () => {
    const { stdout } = cli.curvad(['--help']);
    expect(stdout).toMatch(/Exit codes\s+0 success +1 usage error +2 .* 130 interrupted/);
    for (const command of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect(cli.curvad(['detect', '--help']).stdout).toMatch(/^Usage +curvad detect /);
  });

  it.each(Object.keys(COMMANDS))('of %s has examples, and fits 120 columns', async (command) => {
    const text = await helpTextOf(command);
    expect(text).toMatch(new RegExp(`^Usage +curvad ${command} `));
    expect(text).toMatch(new RegExp(`Examples\\n +.*curvad ${command} `));
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  it.each([
    ['detect', METHOD_NAMES],
    ['compare', METHOD_NAMES],
    ['select', SELECTOR_NAMES],
  ])('of %s says what each method does', async (command, methods) => {
    const text = await helpTextOf(command);
    for (const method of methods) expect(text).toMatch(new RegExp(`^ {2}${method} +\\w+ `, 'm'));
  });
});

/** The help of a command, without starting a process for it. */
async function helpTextOf(name: string): Promise<string> {
  const command = await COMMANDS[name]?.load();
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return stripVTControlCharacters(helpOf(command));
}
