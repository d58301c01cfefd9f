// What went wrong with real files, each with a small file of the same kind: the right table, or an error that says
// what is wrong and where; never a silent difference.
import { describe, expect, it } from 'vitest';
import { readTable, readTables } from '../../src/files/index.js';
import type { ReadOptions } from '../../src/files/options.js';
import { bytes, cellsOf, gzip, kindsOf, latin1, utf16 } from './support.js';

const read = (text: string, options: ReadOptions = {}) => readTable(bytes(text), options);

async function withNotes(text: string, options: ReadOptions = {}) {
  const notes: string[] = [];
  const table = await read(text, { ...options, onNote: (note) => notes.push(note) });
  return { table, notes };
}

/** 200 readings, of which row 7 is something else. */
const readings = (bad: string): string =>
  `id,temp\n${Array.from({ length: 200 }, (_, i) => `${i},${i === 7 ? bad : (20 + Math.sin(i)).toFixed(4)}`).join('\n')}\n`;

describe('one bad cell in a column of numbers', () => {
  it.each(['#DIV/0!', '<NA>', 'NaT', '-nan', '--', '\\N', 'missing', 'unknown', 'NA', '', '"#N/A"', 'null'])(
    'is missing where it is known to mean that: %s',
    async (bad) => {
      const table = await read(readings(bad));
      expect(kindsOf(table)).toEqual({ id: 'number', temp: 'number' });
      expect(cellsOf(table, 'temp')[7]).toBeNull();
      expect(table.columns[1]).toMatchObject({ missing: 1 });
      expect(table.columns[1]).not.toHaveProperty('strays');
    },
  );

  it.each(['ERR', '12%', '$5', '"1,234"', 'oops'])(
    'is told with its row where it is not, and the column stays one of numbers: %s',
    async (bad) => {
      const table = await read(readings(bad));
      const strays = { row: 7, text: bad.replaceAll('"', ''), count: 1 };
      expect(table.columns[1]).toMatchObject({ kind: 'number', missing: 1, strays });
      expect(cellsOf(table, 'temp')[8]).toBe(Number((20 + Math.sin(8)).toFixed(4)));
    },
  );

  it('is missing where the option na says so, exactly as it is written', async () => {
    const table = await read(readings('ERR'), { na: ['ERR'] });
    expect(table.columns[1]).toMatchObject({ kind: 'number', missing: 1 });
    expect(table.columns[1]).not.toHaveProperty('strays');
    expect((await read(readings('err'), { na: ['ERR'] })).columns[1]).toHaveProperty('strays');
    expect(cellsOf(await read('a,b\n1,2\n-999,3\n', { na: ['-999'] }), 'a')).toEqual([1, null]);
  });

  it('is told among few distinct values too: ratings and one oops', async () => {
    const ratings = Array.from({ length: 100 }, (_, i) => (i === 50 ? 'oops' : String((i % 5) + 1)));
    const table = await read(`rating\n${ratings.join('\n')}\n`);
    expect(table.columns[0]).toMatchObject({ kind: 'number', strays: { row: 50, text: 'oops', count: 1 } });
  });

  it('does not make a column of words one of numbers: below 95 % it is text', async () => {
    const cells = Array.from({ length: 20 }, (_, i) => (i < 2 ? `word${i}` : String(i)));
    expect(kindsOf(await read(`a\n${cells.join('\n')}\n`))).toEqual({ a: 'text' });
    const enough = Array.from({ length: 20 }, (_, i) => (i < 1 ? `word${i}` : String(i)));
    expect(kindsOf(await read(`a\n${enough.join('\n')}\n`))).toEqual({ a: 'number' });
  });

  it('leaves words that are missing among numbers alone where the others are words', async () => {
    const table = await read('size\nunknown\nlarge\nsmall\n');
    expect(cellsOf(table, 'size')).toEqual(['unknown', 'large', 'small']);
  });
});

describe('a header with numbers', () => {
  it.each([
    ['state,2021\nCA,5.3\nWY,5.8\nCA,2.2\n', ['state', '2021']],
    ['country,2018,2019,2020\nDE,51,62,73\nFR,14,25,36\n', ['country', '2018', '2019', '2020']],
    [',0,1,2\n0,1.5,2.5,3.5\n1,4.5,5.5,6.5\n', ['column 1', '0', '1', '2']],
    ['name,2019\nx,2300\ny,2900\n', ['name', '2019']],
  ])('names the columns: %j', async (text, names) => {
    const { table, notes } = await withNotes(text);
    expect(table.isNamed).toBe(true);
    expect(table.columns.map(({ name }) => name)).toEqual(names);
    expect(notes.join()).toMatch(/names the columns, although it holds \d+/);
  });

  it.each([
    '5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n',
    '1,2,3\n4,5,6\n',
    'Alice,2015\nBob,2016\n',
    'Alice,2000\nBob,350\nCarl,4000\n',
    'M,15,95\nF,9,70\n',
    '0,1\n1,0\n',
    ',5,7\n1,6,8\n2,4,9\n',
  ])('is none where a row may look so: %j', async (text) => {
    const { table, notes } = await withNotes(text);
    expect(table.isNamed).toBe(false);
    expect(table.rows).toBe(text.trim().split('\n').length);
    expect(notes.join()).toMatch(/no header/);
  });

  it('is decided by the option header before all', async () => {
    expect((await read('a,b\nc,d\n', { header: false })).rows).toBe(2);
    expect((await read('1,2\n3,4\n', { header: true })).columns[0]?.name).toBe('1');
  });
});

describe('64-bit integers', () => {
  const ids = [9007199254740993n, 9007199254740995n, -9223372036854775808n];
  it('keep every digit, in CSV, JSON and NDJSON', async () => {
    for (const text of [
      `id,v\n${ids.map((id) => `${id},1`).join('\n')}\n`,
      `[${ids.map((id) => `{"id":${id},"v":1}`).join(',')}]`,
      ids.map((id) => `{"id":${id},"v":"9007199254740993 in a text"}`).join('\n'),
    ]) {
      const table = await read(text);
      expect(kindsOf(table)['id']).toBe('integer');
      expect(cellsOf(table, 'id')).toEqual(ids);
    }
  });

  it('are unsigned where they need it, and text where 64 bits are not enough', async () => {
    expect(cellsOf(await read('id\n18446744073709551615\n1\n'), 'id')).toEqual([18446744073709551615n, 1n]);
    const long = ['123456789012345678901234567890', '223456789012345678901234567890'];
    expect(cellsOf(await read(`id\n${long.join('\n')}\n`), 'id')).toEqual(long);
  });

  it('stay beside missing ones, and numbers below 2^53 are numbers', async () => {
    expect(cellsOf(await read('id\n9007199254740993\nNA\n5\n'), 'id')).toEqual([9007199254740993n, null, 5n]);
    expect(kindsOf(await read('id\n9007199254740991\n'))).toEqual({ id: 'number' });
  });
});

describe('the encoding', () => {
  const words = 'name,v\nÖl,1\nÄl,2\nÜl,3\n';
  it.each([
    ['UTF-8', bytes(words)],
    ['UTF-8 with a mark', bytes(`\ufeff${words}`)],
    ['Windows-1252', latin1(words)],
    ['UTF-16 with a mark', utf16(`\ufeff${words}`)],
    ['UTF-16 big endian with a mark', utf16(`\ufeff${words}`, true)],
    ['UTF-16 without a mark', utf16(words)],
    ['UTF-16 big endian without a mark', utf16(words, true)],
  ])('is found out: %s', async (_, data) => {
    const table = await readTable(data);
    expect(cellsOf(table, 'name')).toEqual(['Öl', 'Äl', 'Ül']);
    expect(cellsOf(table, 'v')).toEqual([1, 2, 3]);
  });

  it('is found out where only a late line shows it', async () => {
    const lines = `${'plain text here,1\n'.repeat(30_000)}Öl,2\n`;
    const notes: string[] = [];
    const table = await readTable(latin1(`name,v\n${lines}`), { onNote: (note) => notes.push(note) });
    expect(cellsOf(table, 'name').at(-1)).toBe('Öl');
    expect(notes.join()).toMatch(/windows-1252/);
  });

  it('is what the option says', async () => {
    const table = await readTable(new Uint8Array([...bytes('w,v\n'), 0xcf, 0xf0, ...bytes(',1\n')]), {
      encoding: 'windows-1251',
    });
    expect(cellsOf(table, 'w')).toEqual(['Пр']);
    await expect(read('a\n1\n', { encoding: 'latin-99' })).rejects.toMatchObject({ code: 'ENCODING_UNKNOWN' });
    await expect(readTable(latin1(words), { encoding: 'utf-8' })).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  });
});

describe('booleans and times', () => {
  it('are what they are in CSV, JSON and NDJSON', async () => {
    for (const text of [
      'on,t\nTrue,2014-04-01 00:00:00\nfalse,2014-04-01T00:05:00Z\n,\n',
      '[{"on":true,"t":"2014-04-01T00:00:00Z"},{"on":false,"t":"2014-04-01T00:05:00Z"},{"on":null,"t":null}]',
      '{"on":true,"t":"2014-04-01 00:00:00"}\n{"on":false,"t":"2014-04-01 02:05:00+02:00"}\n{}\n',
    ]) {
      const table = await read(text);
      expect(kindsOf(table)).toEqual({ on: 'boolean', t: 'time' });
      expect(cellsOf(table, 'on')).toEqual([true, false, null]);
      expect(cellsOf(table, 't')).toEqual([new Date('2014-04-01'), new Date('2014-04-01T00:05:00Z'), null]);
    }
  });

  it('leave dates alone that people write in two ways', async () => {
    expect(kindsOf(await read('t\n1/2/2014\n3/4/2015\n'))).toEqual({ t: 'text' });
  });
});

describe('JSON', () => {
  it.each([
    '[{"a":1,"b":"x"},{"a":2,"b":"y"}]',
    '[\n {"a": 1, "b": "x"},\n {"b": "y", "a": 2}\n]\n',
    '{"a":[1,2],"b":["x","y"]}',
    '{"a":{"0":1,"1":2},"b":{"0":"x","1":"y"}}',
    '{"columns":["a","b"],"index":[0,1],"data":[[1,"x"],[2,"y"]]}',
    '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n',
  ])('is a table, not CSV: %j', async (text) => {
    const table = await read(text);
    expect([cellsOf(table, 'a'), cellsOf(table, 'b')]).toEqual([
      [1, 2],
      ['x', 'y'],
    ]);
  });

  it('may be arrays of arrays, and lists are told apart from cells', async () => {
    expect(cellsOf(await read('[[1,2],[3,4]]'), 'column 2')).toEqual([2, 4]);
    expect((await read('[{"a":[1]},{"a":[2]}]')).columns[0]).toMatchObject({ kind: 'other', what: 'lists' });
  });

  it.each(['[1,2,3]', '{"a":1', '[{"a":1},5]', '[]', '{"a":[1],"b":[1,2]}', '{"a":{"b":1},"c":5}'])(
    'is refused where it is no table: %s',
    async (text) => {
      await expect(read(text, { format: 'json' })).rejects.toMatchObject({ name: 'CurvadError' });
    },
  );

  it('nested 20,000 deep is refused with its line', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    for (const text of [`${deep}\n`, `{"a":1}\n${deep}\n`])
      await expect(read(text)).rejects.toMatchObject({ code: 'FILE_LINE', message: /nested too deep/ });
  });

  it('keeps keys that objects have anyway', async () => {
    const table = await read('{"__proto__":1,"constructor":2}\n{"__proto__":3,"constructor":4}\n');
    expect(cellsOf(table, '__proto__')).toEqual([1, 3]);
    expect(cellsOf(table, 'constructor')).toEqual([2, 4]);
  });
});

describe('lines that are no rows', () => {
  it('are passed over: comments, titles, units, sep=', async () => {
    const files: [string, ReadOptions][] = [
      ['# made by\na,b\n# more\n1,2\n', { comment: '#' }],
      ['Report of May\n\na,b\n1,2\n', { skip: 1 }],
      ['a,b\nm,"m/s"\n1,2\n', { units: true }],
      ['sep=;\na;b\n1;2\n', {}],
      ['"sep=|"\r\na|b\r\n1|2\r\n', {}],
      ['x\ny\n#a;b\na;b\nm;s\n1;2\n', { skip: 3, units: true }],
    ];
    for (const [text, options] of files) {
      const table = await read(text, options);
      expect([text, kindsOf(table), cellsOf(table, 'a'), cellsOf(table, 'b')]).toEqual([
        text,
        { a: 'number', b: 'number' },
        [1],
        [2],
      ]);
    }
  });

  it('are told with their number and the option that helps', async () => {
    await expect(read('Report of May\na,b\n1,2\n')).rejects.toMatchObject({
      code: 'FILE_LINE',
      message: /line 2: it has 2 fields where 1 are expected: .*--skip/,
    });
  });
});

describe('thousands, percent and currency', () => {
  it('are read where a whole column has them', async () => {
    const table = await read('n,p,c,e\n"1,234",5%,$5,€1.50\n"12,345.5",0.1%,"$1,200",-€2\n999,12%,-$3,€3\n');
    expect(cellsOf(table, 'n')).toEqual([1234, 12345.5, 999]);
    expect(cellsOf(table, 'p')).toEqual([0.05, 0.001, 0.12]);
    expect(cellsOf(table, 'c')).toEqual([5, 1200, -3]);
    expect(cellsOf(table, 'e')).toEqual([1.5, -2, 3]);
  });

  it.each([
    ['a mix of percent and plain', 'v\n5%\n6\n'],
    ['two currencies', 'v\n$5\n€6\n'],
    ['thousands beside 1234', 'v\n"1,234"\n1234\n'],
    ['groups of other lengths', 'v\n"1,23"\n"4,56"\n'],
    ['what may be a decimal comma', 'a;v\n1;1,234\n2;2,345\n'],
  ])('are text where they are not: %s', async (_, text) => {
    expect(kindsOf(await read(text))['v']).toBe('text');
  });

  it('are read anywhere by option', async () => {
    const options = { thousands: ',', percent: true, currency: true };
    expect(cellsOf(await read('v\n"1,234"\n12%\n$5\n7\n', options), 'v')).toEqual([1234, 0.12, 5, 7]);
    expect(cellsOf(await read("v\n1'234\n7\n", { thousands: "'" }), 'v')).toEqual([1234, 7]);
    expect(cellsOf(await read('a;v\n1;1.234,5\n2;7\n', { decimal: ',', thousands: '.' }), 'v')).toEqual([1234.5, 7]);
  });

  it('find the decimal comma where the separator is none and no number has a point', async () => {
    const { table, notes } = await withNotes('a;b\n1,5;2\n3,25;4\n');
    expect(cellsOf(table, 'a')).toEqual([1.5, 3.25]);
    expect(notes.join()).toMatch(/decimal mark is a comma/);
    expect(kindsOf(await read('a;b\n1,5;2.5\n3,25;4\n'))['a']).toBe('text');
  });
});

describe('text among numbers', () => {
  it('stays as it is written, leading zeros too, from files and from streams', async () => {
    const text = 'id,v\n007,1\nA12,2\n1.50,3\n';
    const chunks = async function* () {
      yield bytes(text.slice(0, 9));
      yield bytes(text.slice(9));
    };
    for (const input of [bytes(text), chunks(), new Response(bytes(text)), new Blob([bytes(text)])])
      expect(cellsOf(await readTable(input), 'id')).toEqual(['007', 'A12', '1.50']);
  });

  it('is kept for every column that the option text names', async () => {
    const table = await read('id,v\n007,NA\n,""\n', { text: ['id', 'v'] });
    expect([cellsOf(table, 'id'), cellsOf(table, 'v')]).toEqual([
      ['007', null],
      ['NA', ''],
    ]);
  });
});

describe('limits', () => {
  const text = 'a,b\n1,2\n3,4\n5,6\n';
  it.each([{ maxRows: 2 }, { maxColumns: 1 }, { maxBytes: 10 }])('are kept: %j', async (limit) => {
    await expect(read(text, limit)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    await expect(read('{"a":1,"b":2}\n'.repeat(3), limit)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    await expect(read(JSON.stringify([1, 2, 3].map((a) => ({ a, b: a }))), limit)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  it('stop a gzip bomb while it is unpacked', async () => {
    const bomb = gzip(new Uint8Array(50_000_000).fill(0x31).map((byte, i) => (i % 2 === 0 ? byte : 0x0a)));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(readTable(bomb, { maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: /maxBytes/,
    });
  });
});

describe('files that are no tables', () => {
  it.each([
    ['FEA1....', /Feather version 1/],
    ['PK\x03\x04', /Excel workbook/],
    ['SQLite format 3\0', /SQLite/],
    ['<!DOCTYPE html><p>', /web page/],
    ['%PDF-1.4', /PDF/],
    ['a\0b\0\0\0c', /binary file/],
    ['PAR1', /cannot be read as Parquet/],
    ['ARROW1', /cannot be read as Arrow/],
    ['\x93NUMPY\x01\0', /\.npy|cut off/],
    ['', /empty/],
    ['a,b\n', /no rows/],
  ])('are refused in words: %j', async (start, message) => {
    await expect(readTable(latin1(start))).rejects.toMatchObject({ name: 'CurvadError', message });
  });

  it('are refused where they are cut off', async () => {
    const packed = gzip(bytes('a,b\n1,2\n'.repeat(1000)));
    await expect(readTable(packed.subarray(0, packed.length / 2))).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  });
});

describe('several files', () => {
  it('are one table, matched by name, with the rows at which they begin', async () => {
    const { table, starts } = await readTables([bytes('a,b\n1,x\n2,y\n'), bytes('b,a\nz,3\n')]);
    expect([cellsOf(table, 'a'), cellsOf(table, 'b'), starts]).toEqual([
      [1, 2, 3],
      ['x', 'y', 'z'],
      [0, 2],
    ]);
  });

  it('are refused where a column is missing, surplus or something else', async () => {
    const first = new File([bytes('a,b\n1,x\n')], 'first.csv');
    for (const [text, message] of [
      ['a\n1\n', /has no column "b", which "first.csv" has/],
      ['a,b,c\n1,x,2\n', /has a column "c", which "first.csv" has not/],
      ['a,b\nwest,x\n', /"a" holds numbers in "first.csv" and text in file 2/],
      ['1,2\n', /names its columns/],
    ] as const)
      await expect(readTables([first, bytes(text)])).rejects.toMatchObject({ code: 'TABLES_DIFFER', message });
  });

  it('keep what they hold: times, booleans, 64-bit integers, gaps', async () => {
    const part = (id: string) => bytes(`t,on,id,gap\n2020-01-01,true,${id},\n`);
    const { table } = await readTables([
      part('9007199254740993'),
      part('5'),
      bytes('t,on,id,gap\n2020-01-02,false,7,1.5\n'),
    ]);
    expect(kindsOf(table)).toEqual({ t: 'time', on: 'boolean', id: 'integer', gap: 'number' });
    expect(cellsOf(table, 'id')).toEqual([9007199254740993n, 5n, 7n]);
    expect(cellsOf(table, 'gap')).toEqual([null, null, 1.5]);
  });
});

describe('the readers', () => {
  it('take a File, a Blob, a Response, a stream, chunks, a buffer, a part of one, and bytes at any place', async () => {
    const data = bytes('a,b\n1,x\n2,y\n');
    const padded = new Uint8Array(data.length + 8);
    padded.set(data, 3);
    const inputs = [
      data,
      padded.subarray(3, 3 + data.length),
      data.buffer as ArrayBuffer,
      new Blob([data]),
      new File([data], 'x.csv'),
      new Response(data),
      new Blob([data]).stream(),
      { byteLength: data.length, slice: async (from: number, to?: number) => data.slice(from, to).buffer },
    ];
    for (const input of inputs) expect(cellsOf(await readTable(input), 'b')).toEqual(['x', 'y']);
    expect(cellsOf(await readTable(gzip(data)), 'b')).toEqual(['x', 'y']);
  });

  it('tell their progress, and stop when they are told', async () => {
    const data = bytes(`a,b\n${'1,2\n'.repeat(200_000)}`);
    const shares: number[] = [];
    await readTable(data, { onProgress: (share) => shares.push(share as number) });
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const controller = new AbortController();
    const stopped = readTable(data, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
  });

  it('refuse options and inputs that mean nothing', async () => {
    await expect(read('a\n1\n', { separater: ',' } as ReadOptions)).rejects.toMatchObject({ code: 'UNKNOWN_OPTION' });
    await expect(read('a\n1\n', { separator: 'ab' })).rejects.toMatchObject({ code: 'SEPARATOR_INVALID' });
    await expect(read('a\n1\n', { skip: -1 })).rejects.toMatchObject({ code: 'FILE_OPTION_INVALID' });
    await expect(readTable(5 as never)).rejects.toMatchObject({ code: 'INPUT_TYPE' });
    await expect(readTable({} as never)).rejects.toMatchObject({ code: 'INPUT_TYPE' });
    await expect(readTable(new Response('gone', { status: 404 }))).rejects.toMatchObject({ message: /status 404/ });
  });

  it('do not read options through the prototype', () => {
    const inherited = Object.create({ separator: ';' }) as ReadOptions;
    return expect(read('a;b\n1;2\n', { ...inherited, separator: ',' })).resolves.toMatchObject({ rows: 1 });
  });
});

describe('titles above the names', () => {
  const table = 'day;units;price\n1;20;3\n2;14;4\n3;17;5\n';

  it.each([
    ['one', 'Sales report 2025\n', 1],
    ['one with the separators of the table', 'Sales report 2025;;\n', 1],
    ['several, with blank lines and commas', 'Sales, all regions\nexported 2025-01-03, by hand\n\n', 3],
  ])('are skipped and told: %s', async (_, titles, count) => {
    const { table: found, notes } = await withNotes(titles + table);
    expect(found.columns.map(({ name }) => name)).toEqual(['day', 'units', 'price']);
    expect(found.rows).toBe(3);
    expect(notes.join()).toMatch(count === 1 ? /the first line is a title/ : /the first 3 lines are titles/);
  });

  it('are seen where decimal commas part the rows evenly, too', async () => {
    const rows = Array.from({ length: 5 }, (_, i) => `0${i + 1}.01.2025;${i},5;yes`).join('\n');
    const { table: found } = await withNotes(`Report;;\n\nday;value;ok\n${rows}\n`);
    expect(kindsOf(found)).toEqual({ day: 'time', value: 'number', ok: 'text' });
  });

  it('are rows with skip: 0', async () => {
    const { table: found, notes } = await withNotes(`Sales report 2025;;\n${table}`, { skip: 0 });
    expect(found.columns[0]?.name).toBe('Sales report 2025');
    expect(notes.join()).not.toMatch(/title/);
  });

  it.each([
    ['a column of texts with commas in quotes', 'text\n"hello, you"\n"no, never"\n"so, so"\n', ['text'], 3],
    ['a column of numbers', 'a\n1\n2\n3\n', ['a'], 3],
    ['names, and a first row with a single value', 'a,b,c\n1,,\n2,3,4\n', ['a', 'b', 'c'], 2],
    ['two columns with a blank name', ',b\n1,2\n3,4\n', undefined, 2],
  ])('are not seen where there are none: %s', async (_, text, names, rows) => {
    const { table: found, notes } = await withNotes(text);
    if (names !== undefined) expect(found.columns.map(({ name }) => name)).toEqual(names);
    expect(found.rows).toBe(rows);
    expect(notes.join()).not.toMatch(/title/);
  });
});
