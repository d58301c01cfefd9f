// The lock file serves every platform: it names the binaries of all of them, and no place to download from.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};
const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));

it('names every optional dependency, so that npm ci works on Linux, macOS and Windows', () => {
  const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(optional.length).toBeGreaterThan(50);
  expect(optional.filter((name) => !names.has(name))).toEqual([]);
});

it.each(['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'])('has the tools for %s', (platform) => {
  const on = (scope: string) => [...names].filter((name) => name.startsWith(`${scope}`) && name.includes(platform));
  for (const scope of ['@rollup/rollup-', '@rolldown/binding-', '@biomejs/cli-', '@esbuild/', '@typescript/'])
    expect(on(scope), `${scope}${platform}`).not.toEqual([]);
});

it('names no download address', () => {
  expect(Object.keys(packages).filter((path) => packages[path]?.resolved !== undefined)).toEqual([]);
});
