// What a visitor sees: data, detectors, the threshold, rows, columns, and why a row stands out.
import { LandmarkCAD } from 'curvad';
import { expect, it } from 'vitest';
import { drop, says, visitor } from './support.js';

const here = visitor();
const open = (hash?: string) => here.visit(hash);

/** Forty machines that run alike, and one that does not. */
const CSV = `id,load,temp,kind\n${Array.from({ length: 40 }, (_, i) => `m${i},${(50 + 5 * Math.sin(i)).toFixed(3)},${(60 + 4 * Math.sin(i) + Math.cos(3 * i)).toFixed(3)},${i % 2 ? 'mill' : 'lathe'}`).join('\n')}\nm40,50,95,mill\n`;

it('shows two moons at once, with the rows that do not belong, and keeps what is shown in the address', async () => {
  const { page } = await open();
  await says(page, '#status', /^\d+ rows do not belong \(.* of 500\), says LandmarkCAD/);
  await says(page, '#verdict', /^Row \d+ is an anomaly: its score/);
  await expect.poll(() => page.url()).toContain('#set=moons&points=500&seed=1&method=landmark');
  expect(await page.textContent('header')).toContain('Nothing leaves your browser');
  await page.close();
});

it('makes from an address the same again', async () => {
  const hash = '#set=rings&points=300&seed=7&method=knn&neighbors=5&threshold=0.5&x=x&y=y&row=12&stay=y';
  const { page } = await open(hash);
  await says(page, '#flagged', /of 300 rows .* above 0.5/);
  expect(await page.inputValue('#method')).toBe('knn');
  expect(await page.inputValue('#option-neighbors')).toBe('5');
  expect(await page.inputValue('#seed')).toBe('7');
  await says(page, '#verdict', /^Row 12 is/);
  expect(await page.isChecked('[data-frozen="y"]')).toBe(true);
  expect(new URL(page.url()).hash).toBe(hash);
  await page.close();
});

it('reads a dropped file, and scores it as the package does', async () => {
  const { page } = await open();
  await drop(page, 'machines.csv', CSV);
  await says(page, '#facts', /machines\.csv: 41 rows, 3 of 4 columns used/);
  const rows = CSV.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([, load, temp, kind]) => ({ load: Number(load), temp: Number(temp), kind }));
  const detector = new LandmarkCAD({ neighbors: 10, curvature: 0.25, landmarks: 1024, seed: 0 }).fit(rows);
  const [first] = detector.top(1);
  const shown = await page.textContent('#rows tbody tr');
  expect(shown).toContain(`${first}${Number((detector.scores[first as number] as number).toPrecision(4))}`);
  await expect.poll(() => new URL(page.url()).hash).toBe('');
  await page.close();
});

it('runs every detector, with its options', async () => {
  const { page } = await open('#set=moons&points=200');
  const methods = (await page.$$eval('#method option', (options) =>
    options.map((option) => option.getAttribute('value')),
  )) as string[];
  expect(methods).toHaveLength(8);
  for (const method of methods) {
    await page.selectOption('#method', method);
    const title = await page.$eval('#method option:checked', (option) => option.textContent);
    await says(page, '#status', new RegExp(`of 200\\), says ${title} after`));
    expect(await page.$$eval('#options input, #options select', (fields) => fields.length)).toBeGreaterThan(0);
  }
  await page.selectOption('#method', 'knn');
  await page.fill('#option-neighbors', '3');
  await expect.poll(() => page.url()).toContain('neighbors=3');
  await page.close();
});

it('moves the threshold by keys and by hand, and counts what it flags', async () => {
  const { page } = await open();
  const before = await says(page, '#flagged', /^\d+ of 500 rows/);
  await page.focus('#threshold');
  await page.keyboard.press('Home');
  await expect.poll(() => page.textContent('#flagged')).not.toBe(before);
  expect(Number.parseInt((await page.textContent('#flagged')) as string, 10)).toBeGreaterThan(
    Number.parseInt(before, 10),
  );
  await expect.poll(() => page.url()).toContain('threshold=');
  const box = (await (await page.$('#histogram'))?.boundingBox()) as {
    x: number;
    y: number;
    width: number;
    height: number;
  };
  await page.mouse.move(box.x + 10, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await says(page, '#flagged', /^[01] of 500 rows/);
  await page.click('#automatic');
  await expect.poll(() => page.textContent('#flagged')).toBe(before);
  await page.close();
});

it('says why a row stands out, what would make it normal, and keeps frozen columns', async () => {
  const { page } = await open();
  await page.focus('#map');
  await page.keyboard.press('ArrowRight');
  await says(page, '#verdict', /^Row \d+ is an anomaly: its score/);
  await says(page, '#way-out', /What would make it normal.*→/);
  const changed = await page.$$eval('#way-out li b', (names) => names.map((name) => name.textContent));
  const stays = changed[0] as string;
  await page.check(`[data-frozen="${stays}"]`);
  await expect
    .poll(() => page.$$eval('#way-out li b', (names) => names.map((name) => name.textContent)))
    .not.toContain(stays);
  const row = ((await page.textContent('#verdict')) as string).split(' ')[1];
  await page.focus('#map');
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => ((await page.textContent('#verdict')) ?? '').split(' ')[1]).not.toBe(row);
  await page.close();
});

it('ignores, identifies and changes columns', async () => {
  const { page } = await open();
  await drop(page, 'machines.csv', CSV);
  await says(page, '#facts', /3 of 4 columns/);
  await page.click('#columns-details summary');
  await page.selectOption('[aria-label="kind is used as"]', 'ignore');
  await says(page, '#facts', /2 of 4 columns/);
  await page.selectOption('[aria-label="load is used as"]', 'identity');
  await says(page, '#facts', /1 of 4 columns/);
  await says(page, '#status', /do(es)? not belong .* of 41/);
  await page.close();
});

it('has a table that is equal to the plot: every row with its score and verdict', async () => {
  const { page } = await open('#set=clusters&points=60');
  await says(page, '#rows-place', /1 to 10 of 60/);
  const seen: string[] = [];
  for (let turn = 0; turn < 6; turn++) {
    await says(page, '#rows-place', new RegExp(`^${10 * turn + 1} to`));
    seen.push(
      ...(await page.$$eval('#rows [data-row]', (buttons) => buttons.map((button) => button.textContent ?? ''))),
    );
    if (turn < 5) await page.click('#rows-after');
  }
  expect(new Set(seen).size).toBe(60);
  await page.close();
});
