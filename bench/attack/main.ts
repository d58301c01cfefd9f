// npm run attack: looks for what breaks a promise, in one area after the other, for as long as it is let.
//
//   npm run attack -- --minutes 60 --seed 7          all areas
//   npm run attack -- --area models,files --resume   where the last run with this seed stopped
//   npm run attack -- --replay bench/attack/found/models-….json
import { parseArgs } from 'node:util';
import { AREAS } from './areas/index.js';
import { readReproduction, readState, type State, writeState } from './state.js';
import { memoryOf, type Result, supervise } from './supervise.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string' },
    resume: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
});

if (values.replay !== undefined) await replay(values.replay);
else await attackAll(Number(values.minutes), Number(values.seed), values.area?.split(','));

/** Runs a kept case again: ends with its error where it is still there. */
async function replay(path: string): Promise<void> {
  const { area: name, plan } = readReproduction(path);
  const attack = await AREAS.find((area) => area.name === name)?.begin();
  if (attack === undefined) throw new Error(`there is no area ${name} here`);
  console.log(`ended well: ${await attack.run(plan)}`);
  process.exit(0);
}

async function attackAll(minutes: number, seed: number, names: readonly string[] | undefined): Promise<void> {
  if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('--minutes and --seed must be numbers');
  const unknown = names?.find((name) => !AREAS.some((area) => area.name === name));
  if (unknown !== undefined)
    throw new Error(`there is no area ${unknown}: there are ${AREAS.map(({ name }) => name).join(', ')}`);
  const areas = AREAS.filter(({ name }) => names === undefined || names.includes(name));
  const shares = areas.reduce((sum, { share }) => sum + share, 0);
  const state: State = (values.resume ? readState(seed) : undefined) ?? { seed, areas: {} };
  console.log(`${minutes} minutes on ${areas.length} areas, seed ${seed}, Node ${process.versions.node}`);
  let found = 0;
  for (const area of areas) {
    const before = state.areas[area.name] ?? { next: 0, cases: 0, seconds: 0, findings: 0 };
    const result = await supervise(area, seed, before.next, (minutes * 60 * area.share) / shares);
    print(area.name, area.about, result);
    found += result.findings.length;
    state.areas[area.name] = {
      next: result.next,
      cases: before.cases + result.cases,
      seconds: before.seconds + result.seconds,
      findings: before.findings + result.findings.length,
    };
    writeState(state);
  }
  const cases = Object.values(state.areas).reduce((sum, progress) => sum + progress.cases, 0);
  console.log(`${cases.toLocaleString('en')} cases; ${found === 0 ? '✓ nothing found' : `✗ ${found} findings`}`);
  process.exitCode = found === 0 ? 0 : 1;
}

function print(name: string, about: string, result: Result): void {
  if (result.isSkipped) {
    console.log(`\n${name}: skipped (see above)`);
    return;
  }
  const { cases, seconds, endings, findings, samples } = result;
  const speed = cases / seconds;
  console.log(`\n${name}: ${about}`);
  console.log(
    `  ${cases.toLocaleString('en')} cases in ${seconds.toFixed(0)} s, ${speed.toFixed(speed < 10 ? 1 : 0)} a second`,
  );
  const ordered = [...endings].sort((a, b) => b[1] - a[1]);
  const shown = ordered.slice(0, 12).map(([ending, count]) => `${count} ${ending}`);
  console.log(`  ${shown.join(', ')}${ordered.length > 12 ? `, ${ordered.length - 12} other endings` : ''}`);
  if (samples.length > 3) {
    const { early, late, threads, handles } = memoryOf(samples);
    const sign = (value: number) => (value > 0 ? `+${value}` : String(value));
    console.log(
      `  memory ${early.toFixed(0)} → ${late.toFixed(0)} MB, threads ${sign(threads)}, handles ${sign(handles)}`,
    );
  }
  for (const finding of findings) console.log(`  ✗ case ${finding.number}: ${finding.message}\n    ${finding.path}`);
}
