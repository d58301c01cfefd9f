// Pages that name files of the repository, and commands that package.json runs: neither may drift.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].concat(
  readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('names files and folders that exist', () => {
    const paths = [...text.matchAll(/`((?:src|assembly|test|bench|scripts|examples|python)\/[\w./-]*)`/g)];
    expect(paths.map(([, path]) => path as string).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('names commands that exist', () => {
    const names = [...text.matchAll(/npm run ([\w-]+(?::[\w-]+)*)(?![\w:-])/g)].map(([, name]) => name as string);
    const isThere = (name: string): boolean => Object.hasOwn(scripts, name);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });
});

it('the architecture names the file to change for at least ten tasks', () => {
  const [, table = ''] = readFileSync('docs/architecture.md', 'utf8').split('## Which file to change');
  expect(table.split('\n').filter((line) => /^\| (?!task|-)/.test(line)).length).toBeGreaterThanOrEqual(10);
});
