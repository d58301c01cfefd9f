// npm run clients: asks `curvad serve` with the clients of the protocols (tritonclient, kserve, mlflow), which must get the
// scores to the bit, and has schemathesis try what its description allows. They are installed into an environment of
// their own, some 500 MB, which is removed afterwards; CURVAD_CLIENTS names a Python that has them already.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const { LOF } = await import('curvad');

const COLUMNS = ['load', 'speed', 'heat'];
/** What schemathesis tries of each operation. */
const EXAMPLES = process.argv[2] ?? '60';

const HOOKS = { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: resolve('bench/clients'), PYTHONDONTWRITEBYTECODE: '1' };

const folder = mkdtempSync(join(tmpdir(), 'curvad-clients-'));

function run(
  program: string,
  args: readonly string[],
  { cwd = '.', ...more }: Readonly<Record<string, string>> = {},
): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', cwd, env: { ...process.env, ...more } });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program.split('/').at(-1)} ended with ${status}`);
}

function pythonWithClients(): string {
  const given = process.env['CURVAD_CLIENTS'];
  if (given !== undefined) return given;
  const environment = join(folder, 'python');
  run(process.env['CURVAD_PYTHON'] ?? 'python3', ['-m', 'venv', environment]);
  const python = join(environment, 'bin/python');
  run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    'bench/clients/requirements.txt',
  ]);
  return python;
}

async function serving(): Promise<{ child: ChildProcess; url: string; expected: string }> {
  const table = Array.from({ length: 400 }, (_, i) =>
    Object.fromEntries(COLUMNS.map((name, j) => [name, Math.sin(i * (j + 1)) + (i % 5) / 10])),
  );
  const lof = new LOF().fit(table);
  const rows = [
    [0.1, 0.2, 0.3],
    [9, -9, 9],
    [0.7, 0.1, -0.4],
  ];
  const named = rows.map((row) => Object.fromEntries(COLUMNS.map((name, j) => [name, row[j] as number])));
  const [scores, labels] = [[...lof.score(named)], [...lof.predict(named)]];
  writeFileSync(join(folder, 'odd.curvad'), lof.toBytes());
  const args = ['dist/cli.js', 'serve', join(folder, 'odd.curvad'), '--port', '0', '--max-body', '200000'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const [url] = /http:\S+/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(`curvad serve said ${line}`);
  return { child, url, expected: JSON.stringify({ columns: COLUMNS, rows, scores, labels }) };
}

let child: ChildProcess | undefined;
try {
  const python = pythonWithClients();
  const server = await serving();
  child = server.child;
  run(python, ['bench/clients/ask.py', server.url, server.expected]);
  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_schema_conformance',
  ];
  const schemathesis = join(dirname(python), 'schemathesis');
  const limits = ['--max-examples', EXAMPLES, '--seed', '1', '--generation-deterministic'];
  run(schemathesis, ['run', `${server.url}/openapi.json`, '--checks', checks.join(','), ...limits], {
    ...HOOKS,
    cwd: folder,
  });
} finally {
  child?.kill();
  rmSync(folder, { recursive: true, force: true });
}
