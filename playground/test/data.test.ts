// Data: files of every format, files that are none, built-in sets, and points drawn by hand.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { LandmarkCAD } from 'curvad';
import { type Column, writeTable } from 'curvad/files';
import { afterAll, expect, it } from 'vitest';
import { boxOf, drop, says, visitor } from './support.js';

const here = visitor();
const folder = mkdtempSync(join(tmpdir(), 'curvad-playground-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'arrow'] as const;
const ROWS = 60;
const NAMES = ['load', 'speed', 'heat'];
/** Three columns that go together, and one row that does not. */
const COLUMNS = NAMES.map((_, j) =>
  Float64Array.from({ length: ROWS }, (_, i) => (i === 41 && j === 2 ? 9 : Math.sin(i / (j + 2)) + i / 40)),
);
const truth = new LandmarkCAD().fit(
  Array.from({ length: ROWS }, (_, i) => COLUMNS.map((column) => column[i] as number)),
);

async function written(format: (typeof FORMATS)[number]): Promise<Buffer> {
  if (format === 'arrow')
    return Buffer.from(
      tableToIPC(
        tableFromArrays(Object.fromEntries(NAMES.map((name, j) => [name, COLUMNS[j] as Float64Array]))),
        {},
      ) as Uint8Array,
    );
  if (format === 'tsv') return Buffer.from(String(await written('csv')).replaceAll(',', '\t'));
  const columns = NAMES.map((name, j): Column => {
    return { kind: 'number', name, values: COLUMNS[j] as Float64Array, isWhole: false, missing: 0 };
  });
  const pieces: Buffer[] = [];
  for await (const piece of writeTable({ columns, rows: ROWS, isNamed: true }, format))
    pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

function npy(): Buffer {
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${ROWS}, ${NAMES.length}), }`;
  const header = `${text.padEnd(117)}\n`;
  const data = Float64Array.from(
    { length: ROWS * NAMES.length },
    (_, i) => COLUMNS[i % 3]?.[Math.floor(i / 3)] as number,
  );
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]);
  return Buffer.concat([start, Buffer.from(header), Buffer.from(data.buffer)]);
}

it('reads every format, and finds in each what the package finds', async () => {
  const { page } = await here.visit();
  const files = await Promise.all(FORMATS.map(async (format) => [format, await written(format)] as const));
  const [first] = truth.top(1);
  const score = String(Number((truth.scores[first as number] as number).toPrecision(4)));
  for (const [format, bytes] of [...files, ['npy', npy()] as const]) {
    await drop(page, `machine.${format}`, bytes);
    await says(page, '#facts', new RegExp(`^machine\\.${format}: 60 rows, 3 of 3 columns used`));
    await says(page, '#rows tbody tr', new RegExp(`^${first}${score.replace('.', '\\.')}`));
  }
  await page.close();
});

it('says of bad files what to do, and goes on working', async () => {
  const { page } = await here.visit();
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
  const magic = Buffer.from('PAR1');
  const files: ReadonlyArray<readonly [name: string, content: Buffer | string, sentence: RegExp]> = [
    ['noise.bin', noise, /binary file, not a table.* Choose a CSV/],
    ['noise.csv', noise, /binary file, not a table.* Choose a CSV/],
    ['empty.csv', '', /is empty.* Choose a file with a header and some rows/],
    ['header.csv', 'a,b\n', /has a header and no rows.* Choose a file/],
    [
      'text.csv',
      `a,b\n${Array.from({ length: 50 }, (_, i) => `word${i},other${i}`).join('\n')}`,
      /text alone, such as “word0”/,
    ],
    ['nothing.csv', `a,b\n${'NaN,NaN\n'.repeat(50)}`, /no values: all of its cells are empty or NaN. Choose/],
    ['few.csv', 'a,b\n1,2\n3,4\n', /has 2 rows: at least 3 are needed/],
    ['csv.parquet', 'a,b\n1,2\n3,4\n5,6\n', /cannot be read as Parquet.* ending of what it holds/],
    ['csv.npy', 'a,b\n1,2\n3,4\n5,6\n', /is not an \.npy file.* Choose a CSV/],
    [
      'broken.parquet',
      Buffer.concat([magic, Buffer.alloc(500, 7), Buffer.of(200, 0, 0, 0), magic]),
      /cannot be read as Parquet.* Save or download it again/,
    ],
    ['broken.json', '[{"a":1},{"a":', /is not JSON.* Save or download it again/],
  ];
  for (const [name, content, sentence] of files) {
    await drop(page, name, content);
    // What was said of the file before may match, too.
    await expect.poll(() => page.textContent('#message')).toContain(name);
    await says(page, '#message', sentence);
    await says(page, '#facts', /^Two moons: 500 rows/);
    await expect.poll(() => page.getAttribute('html', 'data-phase'), { message: name }).toBe('ready');
  }
  const huge = join(folder, 'huge.csv');
  writeFileSync(huge, 'a,b\n');
  truncateSync(huge, 2 ** 30);
  await page.setInputFiles('#file', huge);
  await says(page, '#message', /“huge.csv” has 1.0 GB: this page reads up to 800 MB. .*npx curvad detect/);
  // A column alone is little, but enough; and what was said goes away with the next file that can be read.
  await drop(page, 'one.csv', `v\n${Array.from({ length: 50 }, (_, i) => (i === 20 ? 99 : i % 7)).join('\n')}\n`);
  await says(page, '#facts', /^one.csv: 50 rows, 1 of 1 columns used/);
  await says(page, '#verdict', /^Row 20 is an anomaly/);
  expect(await page.isHidden('#message')).toBe(true);
  await page.close();
});

it('takes cells that are no numbers as missing, and says so', async () => {
  const { page } = await here.visit();
  const lines = Array.from(
    { length: 60 },
    (_, i) => `${i === 30 ? 'oops' : Math.sin(i).toFixed(3)},${Math.cos(i).toFixed(3)}`,
  );
  await drop(page, 'strays.csv', `a,b\n${lines.join('\n')}\n`);
  await says(page, '#facts', /strays.csv: 60 rows.* One value is missing or no number/);
  await page.close();
});

it('makes every built-in set from its seed', async () => {
  const { page } = await here.visit();
  const sets = await page.$$eval('#set option', (options) => options.map((option) => option.getAttribute('value')));
  for (const set of (sets as string[]).filter((name) => name !== '')) {
    await page.selectOption('#set', set);
    const title = (await page.$eval('#set option:checked', (option) => option.textContent)) as string;
    await says(page, '#facts', new RegExp(`^${title}: `));
    await says(page, '#verdict', /^Row \d+ is an anomaly/);
  }
  const before = await page.textContent('#rows tbody tr');
  await page.fill('#seed', '2');
  await page.press('#seed', 'Tab');
  await expect.poll(() => page.textContent('#rows tbody tr')).not.toBe(before);
  await page.close();
});

it('draws, moves and erases points, by hand and by keys, while scores follow', async () => {
  const { page } = await here.visit('#set=clusters&points=60');
  const box = await boxOf(page, '#map');
  const rows = (): Promise<string | null> => page.textContent('#facts');
  await page.click('[data-tool="draw"]');
  await page.mouse.click(box.x + 30, box.y + 30);
  await expect.poll(rows).toMatch(/^Drawn points: 61 rows/);
  // The point that was drawn, in a corner, stands out most.
  await says(page, '#rows tbody tr', /^60/);
  await expect.poll(() => new URL(page.url()).hash).toBe('');

  await page.click('[data-tool="move"]');
  await page.mouse.move(box.x + 30, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 12 });
  await page.mouse.up();
  await expect.poll(() => page.textContent('#rows tbody tr')).not.toMatch(/^60/);

  await page.click('[data-tool="erase"]');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(rows).toMatch(/^Drawn points: 60 rows/);

  await page.click('[data-tool="draw"]');
  await page.focus('#map');
  for (const key of ['ArrowLeft', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expect.poll(rows).toMatch(/^Drawn points: 61 rows/);
  await page.close();
});
