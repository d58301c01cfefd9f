// The snippet of docs/scale.md, executed as it stands.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('docs/scale.md: blocks on two machines give the scores of one fit', () => {
  const [, snippet = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync('docs/scale.md', 'utf8')) ?? [];
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', snippet], { encoding: 'utf8' });
  expect(printed).toBe('true\n');
});
