// Threads never keep a process from ending: not when they are idle, and not when they still work for a call that was aborted.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

/** Fits on two threads, aborts at a share of the work, and prints the milliseconds until the process ended. */
function program(detector: string, share: number): string {
  return `
    import { ${detector} } from ${JSON.stringify(pathToFileURL('dist/index.js').href)};
    const [rows, columns] = [40000, 48];
    const data = Float64Array.from({ length: rows * columns }, (_, i) => Math.sin(i * i));
    const controller = new AbortController();
    let abortedAt;
    const onProgress = ({ done }) => {
      if (done < ${share} || abortedAt !== undefined) return;
      abortedAt = performance.now();
      controller.abort();
    };
    await new ${detector}().fitAsync({ data, rows, columns }, { threads: 2, signal: controller.signal, onProgress }).then(
      () => console.log('finished'),
      ({ name }) => console.log(name),
    );
    process.on('exit', () => console.log(performance.now() - abortedAt));`;
}

describe('a process whose fit was aborted ends at once', () => {
  it.each([
    ['CAD', 0.2],
    ['CAD', 0.9],
    ['LOF', 0.5],
    ['EllipticEnvelope', 0.1],
  ])('%s, at %d of the work', (detector, share) => {
    const { stdout, status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', program(detector, share)],
      {
        encoding: 'utf8',
      },
    );
    const [name, milliseconds] = stdout.trim().split('\n');
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(name).toBe('AbortError');
    expect(Number(milliseconds)).toBeLessThan(1000);
  });
});
