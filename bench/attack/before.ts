// npm run attack:before: the faults that were found in version 0.1.0, each beside the version of today, and the test that
// keeps it from coming back.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DEGENERATE_TABLES } from '../../test/support/degenerate-tables.js';
import { folderBefore } from '../speed/version-before.js';

interface Version {
  readonly library: string;
  readonly cli: string;
}

interface Fault {
  readonly what: string;
  readonly test: string;
  /** What happens, and whether it is right. */
  run(version: Version, folder: string): { readonly is: boolean; readonly happens: string };
}

const CSV = `a,b\n${Array.from({ length: 60 }, (_, i) => `${i % 7},${i === 40 ? 900 : (i * 37) % 11}`).join('\n')}\n`;

/** Runs a program that prints "right" or what went wrong. */
function program({ library }: Version, text: string): { is: boolean; happens: string } {
  const source = `import * as curvad from ${JSON.stringify(library)};\n${text}`;
  const options = { encoding: 'utf8', timeout: 120_000 } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], options);
  const last = (
    stdout.trim() ||
    stderr
      .trim()
      .split('\n')
      .find((line) => /Error/.test(line)) ||
    `exit code ${status}`
  ).slice(0, 110);
  return { is: status === 0 && last === 'right', happens: status === 0 ? last : `the process ends: ${last}` };
}

function command({ cli }: Version, folder: string, args: readonly string[], shell = 'exec "$@"') {
  const line = ['-c', shell, 'bash', process.execPath, '--max-old-space-size=1000', cli, ...args];
  return spawnSync('bash', line, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 120_000 });
}

const ROWS = 'const rows = Array.from({ length: 3000 }, (_, i) => [Math.sin(i), Math.cos(i * i), Math.sin(i * 3)]);';

/** A fault as a program of the library. */
const inProgram = (what: string, test: string, text: string): Fault => ({
  what,
  test,
  run: (version) => program(version, text),
});

const EVERY = 'test/parallel/every-detector.test.ts';
const OUTPUTS = 'test/cli/outputs.test.ts';

const FAULTS: readonly Fault[] = [
  ...['OneClassSVM', 'EllipticEnvelope'].map((kind) =>
    inProgram(
      `2. ${kind}: an exception in onProgress`,
      `${EVERY}: rejects when onProgress throws, and stays as it was`,
      `const rows = Array.from({ length: 12000 }, (_, i) => [Math.sin(i), Math.cos(i * i), Math.sin(i * 3), Math.sin(i * i * 5)]);
       const thrown = new Error('mine');
       await new curvad.${kind}().fitAsync(rows, { threads: 2, onProgress() { throw thrown; } }).then(
         () => console.log('it is not told'), (error) => console.log(error === thrown ? 'right' : error));`,
    ),
  ),
  {
    what: '3. EllipticEnvelope on singular data: its own model',
    test: 'test/detectors/degenerate-tables.test.ts: loads the model it saves',
    run(version, folder) {
      const tables = join(folder, 'tables.json');
      writeFileSync(tables, JSON.stringify(DEGENERATE_TABLES.map(({ rows }) => rows)));
      return program(
        version,
        `import { readFileSync } from 'node:fs';
         for (const rows of JSON.parse(readFileSync(${JSON.stringify(tables)}))) {
           let detector;
           try { detector = new curvad.EllipticEnvelope().fit(rows); } catch { continue; }
           try { curvad.load(detector.toBytes()).score(rows); } catch (error) { console.log(error.message); process.exit(); }
         }
         console.log('right');`,
      );
    },
  },
  {
    what: '4. A file left by a run with the same process id',
    test: `${OUTPUTS}: does not mind what an earlier run with the same process id left behind`,
    run(version, folder) {
      const shell = 'touch ".out.csv.$$.tmp"; exec "$@"';
      const { status, stderr } = command(version, folder, ['detect', 'in.csv', '-q', '-o', 'out.csv'], shell);
      return { is: status === 0, happens: status === 0 ? 'right' : stderr.trim().slice(0, 110) };
    },
  },
  {
    what: '4. The permissions of an output that is there',
    test: `${OUTPUTS}: keeps the permissions of the file it replaces, rows and models alike`,
    run(version, folder) {
      writeFileSync(join(folder, 'out.csv'), '');
      chmodSync(join(folder, 'out.csv'), 0o600);
      command(version, folder, ['detect', 'in.csv', '-q', '-o', 'out.csv']);
      const mode = (statSync(join(folder, 'out.csv')).mode & 0o777).toString(8);
      return { is: mode === '600', happens: mode === '600' ? 'right' : `600 becomes ${mode}` };
    },
  },
  {
    what: '4. The output is the input',
    test: `${OUTPUTS}: is refused where it is the input`,
    run(version, folder) {
      command(version, folder, ['detect', 'in.csv', '-q', '-o', 'in.csv']);
      const is = readFileSync(join(folder, 'in.csv'), 'utf8') === CSV;
      return { is, happens: is ? 'right' : 'the input is overwritten' };
    },
  },
  {
    what: '4. The output is a link that leads nowhere',
    test: `${OUTPUTS}: is refused where it is a dangling link`,
    run(version, folder) {
      symlinkSync('nowhere.csv', join(folder, 'out.csv'));
      command(version, folder, ['detect', 'in.csv', '-q', '-o', 'out.csv']);
      const is = lstatSync(join(folder, 'out.csv')).isSymbolicLink();
      return { is, happens: is ? 'right' : 'the link is replaced' };
    },
  },
  inProgram(
    '5. scoreAsync under way while the detector is fitted again',
    `${EVERY}: with %i threads finishes scoring on the model it began with`,
    `${ROWS}
     const detector = new curvad.KNN().fit(rows);
     const expected = detector.score(rows);
     const scoring = detector.scoreAsync(rows, { threads: 0 });
     detector.fit(rows.slice(0, 100));
     console.log(await scoring.then((scores) => scores.every((score, i) => score === expected[i]) ? 'right' : 'other scores', (error) => error.message));`,
  ),
  inProgram(
    '6. Typed arrays of another realm',
    'test/core/input/realms.test.ts: rows of another realm',
    `import { runInNewContext } from 'node:vm';
     const rows = runInNewContext('Array.from({ length: 40 }, (_, i) => Float64Array.of(i % 7, i % 5))');
     const data = runInNewContext('Float64Array.from({ length: 80 }, (_, i) => i % 7)');
     try { new curvad.KNN().fit(rows); new curvad.KNN().fit({ data, rows: 40, columns: 2 }); console.log('right'); } catch (error) { console.log(error.message); }`,
  ),
  inProgram(
    '6. Shared memory of another realm',
    'test/core/input/realms.test.ts: are refused in shared memory',
    `import { runInNewContext } from 'node:vm';
     const rows = runInNewContext('Array.from({ length: 40 }, (_, i) => { const row = new Float64Array(new SharedArrayBuffer(16)); row[0] = i; return row; })');
     try { new curvad.KNN().fit(rows); console.log('it is not noticed'); } catch (error) { console.log(error.code === 'SHARED_MEMORY' ? 'right' : error.message); }`,
  ),
  inProgram(
    '8. Object.prototype.kernel',
    'test/detectors/bad-options.test.ts: options on Object.prototype change no score',
    `${ROWS}
     const expected = new curvad.CAD().fit(rows.slice(0, 200)).scores;
     Object.prototype.kernel = 'rbf';
     console.log(new curvad.CAD({}).fit(rows.slice(0, 200)).scores.every((score, i) => score === expected[i]) ? 'right' : 'other scores');`,
  ),
  {
    what: '8. NDJSON nested 20,000 deep',
    test: 'test/files/surprises.test.ts: nested 20,000 deep is refused with its line',
    run(version, folder) {
      writeFileSync(join(folder, 'deep.ndjson'), `{"a":1}\n{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`);
      const { stderr } = command(version, folder, ['detect', 'deep.ndjson']);
      return {
        is: !/unexpected/.test(stderr),
        happens: /unexpected/.test(stderr) ? stderr.trim().slice(0, 110) : 'right',
      };
    },
  },
  {
    what: '8. U+007F and U+009B in --json',
    test: 'test/cli/files.test.ts: control characters in texts do not reach the terminal as they are',
    run(version, folder) {
      writeFileSync(join(folder, 'odd.csv'), CSV.replace('a,b', 'a\u009b31m,b\u007f'));
      const { stdout } = command(version, folder, ['detect', 'odd.csv', '--json']);
      const is = stdout !== '' && !/[\u007f-\u009f]/.test(stdout);
      return { is, happens: is ? 'right' : 'they come through' };
    },
  },
  {
    what: '8. A line feed and = in a cell of CSV',
    test: 'test/files/formulas.test.ts: a formula gets an apostrophe, whatever stands before it',
    run(version, folder) {
      const rows = CSV.split('\n').map((line, i) =>
        i === 0 ? `id,${line}` : line && `${i === 41 ? '"\n=1+1"' : `r${i}`},${line}`,
      );
      writeFileSync(join(folder, 'formula.csv'), rows.join('\n'));
      // Version 0.1.0 wrote scores alone; today's writes the lines of the file as they are where it is not told otherwise.
      const args = ['detect', 'formula.csv', '--id', 'id', '-f', 'csv'];
      const scoresOnly = command(version, folder, [...args, '--scores-only']);
      const { stdout } = scoresOnly.status === 0 ? scoresOnly : command(version, folder, args);
      const is = stdout !== '' && !/"\n=1/.test(stdout);
      return { is, happens: is ? 'right' : 'it is written as a formula' };
    },
  },
  {
    what: '8. A gzip that unpacks to far more',
    test: 'test/files/surprises.test.ts: stop a gzip bomb while it is unpacked',
    run(version, folder) {
      writeFileSync(join(folder, 'bomb.csv.gz'), gzipSync(`a,b\n${'1,2\n'.repeat(2e7)}`));
      const { stderr, status } = command(version, folder, [
        'detect',
        'bomb.csv.gz',
        '-m',
        'ee',
        '--max-bytes',
        '10000000',
      ]);
      const is = status === 2 && /10.?000.?000|10 MB/.test(stderr);
      return { is, happens: is ? 'right' : stderr.trim().slice(0, 110) };
    },
  },
];

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const versions: ReadonlyArray<readonly [string, Version]> = [
  ['0.1.0', folderBefore()],
  ['today', dist],
].map(([name, path]) => {
  const folder = name === 'today' ? (path as string) : join(path as string, 'dist');
  return [name as string, { library: join(folder, 'index.js'), cli: join(folder, 'cli.js') }];
});

let wrong = 0;
for (const { what, test, run } of FAULTS) {
  console.log(`\n${what}\n  ${test}`);
  const [file] = test.split(':') as [string];
  if (!existsSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)))) throw new Error(`there is no ${file}`);
  for (const [name, version] of versions) {
    const folder = mkdtempSync(join(tmpdir(), 'curvad-before-'));
    writeFileSync(join(folder, 'in.csv'), CSV);
    const { is, happens } = run(version, folder);
    rmSync(folder, { recursive: true });
    console.log(`  ${name}: ${is ? '✓ ' : '✗ '}${happens}`);
    if (is !== (name === 'today')) wrong++;
  }
}
console.log(wrong === 0 ? '\n✓ each is wrong in 0.1.0 and right today' : `\n✗ ${wrong} are not as they should be`);
process.exitCode = wrong === 0 ? 0 : 1;
