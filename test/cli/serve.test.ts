// curvad serve as a process: what it serves, reloads, and how it stops.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { KNN, LOF } from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'curvad-serve-'));
const path = join(folder, 'm.curvad');
const rows = Array.from({ length: 50 }, (_, i) => [Math.sin(i), i % 5]);
const lof = new LOF({ neighbors: 5 }).fit(rows);
const knn = new KNN({ neighbors: 5 }).fit(rows);
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(args: string[], env = {}): Promise<{ url: string; child: ChildProcess; errors: () => string }> {
  const child = spawn(process.execPath, ['dist/cli.js', 'serve', ...args, '--port', '0'], {
    env: { ...process.env, ...env },
  });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [`exit: ${errors}`])]);
  const [url] = /http:\S+/.exec(String(line)) ?? [];
  if (url === undefined) throw new Error(String(line));
  return { url, child, errors: () => errors };
}

async function scoreAt(url: string, headers = {}): Promise<number | string> {
  const response = await fetch(`${url}/invocations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ instances: [[2, 2]] }),
  });
  const body = (await response.json()) as { predictions?: [{ score: number }]; code: string };
  return body.predictions?.[0].score ?? body.code;
}

const [byLof, byKnn] = [lof.score([[2, 2]])[0], knn.score([[2, 2]])[0]];

it('serves a model, takes a new one when its file changes, and keeps it when the next is broken', async () => {
  writeFileSync(path, lof.toBytes());
  const { url, child, errors } = await start([`odd=${path}`]);
  expect(await scoreAt(url)).toBe(byLof);
  const replace = (bytes: Uint8Array): void => {
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  };
  replace(knn.toBytes());
  const answers = new Set<number | string>();
  for (let i = 0; i < 100 && !answers.has(byKnn as number); i++) {
    answers.add(await scoreAt(url));
    await sleep(50);
  }
  expect([...answers]).toEqual([byLof, byKnn]);
  replace(new Uint8Array(100));
  for (let i = 0; i < 100 && !errors().includes('stays'); i++) await sleep(50);
  expect(errors()).toContain('keeping the previous model');
  expect(await scoreAt(url)).toBe(byKnn);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('answers requests under way when it is told to stop, and takes no more', async () => {
  writeFileSync(path, lof.toBytes());
  const { url, child } = await start([path], { CURVAD_API_KEY: 'k' });
  expect(await scoreAt(url)).toBe('KEY_WRONG');
  expect(await scoreAt(url, { 'x-api-key': 'k' })).toBe(byLof);
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  const body = JSON.stringify({ instances: [[2, 2]] });
  const head = `POST /invocations HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, 5));
  await sleep(200);
  child.kill('SIGTERM');
  await sleep(200);
  await expect(fetch(`${url}/ping`)).rejects.toThrow();
  socket.write(body.slice(5));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(answer).toContain(String(byLof));
});

it('answers slow and oversized bodies with 4xx and goes on', async () => {
  writeFileSync(path, lof.toBytes());
  const { url, child } = await start([path, '--timeout', '300', '--max-body', '2000']);
  const { port } = new URL(url);
  const raw = async (text: string): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('error', () => {});
    socket.write(text);
    await once(socket, 'close');
    return answer;
  };
  const head = 'POST /invocations HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  expect(await raw(`${head}content-length: 50\r\n\r\n{`)).toMatch(/^HTTP\/1.1 408 /);
  expect(await raw(`${head}content-length: 5000\r\n\r\n{`)).toMatch(/^HTTP\/1.1 413 /);
  expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  expect(await scoreAt(url)).toBe(byLof);
  child.kill('SIGKILL');
});

it('says what is wrong with how it was called', async () => {
  writeFileSync(path, lof.toBytes());
  await expect(start([])).rejects.toThrow('serve needs a model file');
  await expect(start([path, path])).rejects.toThrow('two models are called m@1');
  await expect(start([join(folder, 'none')])).rejects.toThrow('no such file');
});
