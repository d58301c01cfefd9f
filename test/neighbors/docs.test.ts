// The snippets of docs/scale.md, executed as they stand.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SNIPPETS = [...readFileSync('docs/scale.md', 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)];

it.each([
  [0, 'blocks on two machines give the scores of one fit', 'true\n'],
  [1, 'a block that a box excludes need not be read', '0\ntrue\n'],
])('docs/scale.md, snippet %i: %s', (place, _, expected) => {
  const snippet = SNIPPETS[place]?.[1] ?? '';
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', snippet], { encoding: 'utf8' });
  expect(printed).toBe(expected);
});
