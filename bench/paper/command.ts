// The command behind `npm run paper`: finds the jobs that are named, runs them, prints their sections, and
// puts them into the file of results.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { defaultBackend } from 'curvad';
import { readData } from './data.js';
import { facebook, type RegressionData } from './facebook.js';
import { type Context, JOBS, type Job } from './jobs.js';
import { Progress } from './progress.js';
import { withSection } from './results.js';

const NAMES = Object.keys(JOBS);
const USAGE = `Usage: npm run paper -- JOB... [options]

Jobs:
${Object.entries(JOBS)
  .map(([name, { title }]) => `  ${name.padEnd(16)}${title}`)
  .join('\n')}

Options:
  --as-published  Imitate the released program as well, to get the numbers that the paper prints
  --quick         Leave out what takes longest, for table3: the MLP sees 5 of 10 folds
  --processes N   How many processes work at once, for table3 (default: one for each processor)
  --fresh         Evaluate all models of table3 again, also those that a run before has done
  --data DIR      The folder with the data sets (default: the environment variable CURVAD_DATA)
  --out FILE      Where the results go (default: bench/paper/RESULTS.md); each job replaces its own section
  --out DIR       For figures: where the pictures go (default: bench/paper/figures), and RESULTS.md with them
  --help          This text
`;
const RESULTS = fileURLToPath(new URL('RESULTS.md', import.meta.url));
const PICTURES = fileURLToPath(new URL('figures', import.meta.url));

/**
 * @param words What follows the name of the command.
 * @param folder Where the data sets are unless the words say otherwise.
 * @returns What to print.
 */
export async function paper(
  words: readonly string[],
  folder: string | undefined,
  progress = new Progress(),
): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      'as-published': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      processes: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      data: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return USAGE;
  const jobs = positionals.map((name) => [name, jobOf(name)] as const);
  if (jobs.length === 0) throw new Error(`which job? There are ${NAMES.join(', ')}; --help tells more`);
  const { 'as-published': asPublished, quick, fresh } = values;
  for (const [name, { hasQuick }] of jobs) if (quick && !hasQuick) throw new Error(`${name} cannot be --quick`);
  const processes = processesFrom(values.processes);
  const { file, pictures } = placesOf(
    values.out,
    jobs.map(([, job]) => job),
  );
  const sections: string[] = [];
  for (const [name, job] of jobs) {
    const sources = dataFrom(values.data ?? folder, job.isDataOptional ?? false);
    const context = { ...sources, asPublished, quick, fresh, processes, folder: pictures, progress };
    const lines = await job.run(context);
    progress.finish();
    const section = [`## ${job.title}`, '', provenance(name, context), '', ...lines];
    sections.push(section.join('\n'));
    writeFileSync(file, withSection(existsSync(file) ? readFileSync(file, 'utf8') : '', name, section, NAMES));
  }
  return sections.join('\n');
}

function jobOf(name: string): Job {
  const job = Object.hasOwn(JOBS, name) ? JOBS[name] : undefined;
  if (job === undefined) throw new Error(`there is no job "${name}"; there are ${NAMES.join(', ')}`);
  return job;
}

/** Where results and pictures go. A folder that is asked for gets both. */
function placesOf(out: string | undefined, jobs: readonly Job[]): { file: string; pictures: string } {
  if (out === undefined) return { file: RESULTS, pictures: PICTURES };
  const drawing = jobs.filter(({ draws }) => draws).length;
  if (drawing === 0) return { file: out, pictures: PICTURES };
  if (drawing < jobs.length) throw new Error('--out is a folder for figures and a file for tables: run them apart');
  mkdirSync(out, { recursive: true });
  return { file: join(out, 'RESULTS.md'), pictures: out };
}

/** Jobs that need no data run without a folder. */
function dataFrom(folder: string | undefined, isOptional: boolean): Pick<Context, 'data' | 'facebook'> {
  const checked = (): string => {
    if (folder === undefined) throw new Error('set CURVAD_DATA to the folder with the data sets, or give --data DIR');
    if (!existsSync(folder)) throw new Error(`there is no folder ${folder} for the data sets`);
    return folder;
  };
  return {
    data: (name) => (folder === undefined && isOptional ? undefined : readData(checked(), name)),
    facebook: (): RegressionData | undefined =>
      existsSync(join(checked(), 'facebook.json')) ? facebook(checked()) : undefined,
  };
}

function processesFrom(text: string | undefined): number {
  const count = text === undefined ? availableParallelism() : Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new Error(`--processes must be a whole number above 0, got ${text}`);
}

/** What made a section: the command and the versions, but nothing about the machine. */
function provenance(name: string, { asPublished, quick }: Context): string {
  const description = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(description) as { version: string };
  const command = `npm run paper -- ${name}${asPublished ? ' --as-published' : ''}${quick ? ' --quick' : ''}`;
  return `\`${command}\`, curvad ${version} (${defaultBackend()}), Node ${process.versions.node}`;
}
