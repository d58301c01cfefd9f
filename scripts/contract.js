// What JavaScript must know of the core, read from assembly/: the fields of the exported @unmanaged classes with their
// offsets, the numbers of assembly/contract.ts, and the types of what index.ts exports. Every record, number and
// function is declared once; TypeScript checks the other side against what is written here.
import { readdirSync, readFileSync } from 'node:fs';

const BYTES = { f64: 8, u32: 4, usize: 4 };

/** The sources of a folder by file name. */
export function readSources(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [file, withoutComments(readFileSync(`${folder}/${file}`, 'utf8'))]));
}

function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
}

/** The module that src/ imports. */
export function contractOf(sources) {
  const parts = Object.values(sources).flatMap(recordsOf);
  parts.push(constantsOf(sources['contract.ts'] ?? ''), exportsOf(sources));
  return `// Made by scripts/build-wasm.js from assembly/: do not edit.\n\n${parts.join('\n')}`;
}

/** Fields lie one after the other, f64 first, so that nothing lies between; one whose type is a class is an address. */
function recordsOf(source) {
  return [...source.matchAll(/@unmanaged\s+export class (\w+) \{([^}]*)\}/g)].map(([, name, body]) => {
    const fields = { reals: '', words: '' };
    let end = 0;
    for (const [, field, type] of body.matchAll(/(\w+): (\w+);/g)) {
      const size = BYTES[type] ?? (/^[A-Z]/.test(type) ? 4 : undefined);
      if (size === undefined) throw new Error(`${name}.${field}: no field of a record can be ${type}`);
      if (type === 'f64' && fields.words !== '') throw new Error(`${name}.${field}: f64 fields come first`);
      fields[type === 'f64' ? 'reals' : 'words'] += ` ${field}: ${end},`;
      end += size;
    }
    return `export const ${name} = { size: ${end}, reals: {${fields.reals} }, words: {${fields.words} } } as const;\n`;
  });
}

function constantsOf(source) {
  const outside = source.replace(/export namespace (\w+) \{([^}]*)\}/g, '');
  const lines = [...outside.matchAll(/export const (\w+): \w+ = (\w+);/g)].map(
    ([, name, value]) => `export const ${name} = ${value};\n`,
  );
  for (const [, name, body] of source.matchAll(/export namespace (\w+) \{([^}]*)\}/g)) {
    const numbers = [...body.matchAll(/export const (\w+): \w+ = (\w+);/g)].map(
      ([, key, value]) => ` ${key}: ${value},`,
    );
    lines.push(`export const ${name} = {${numbers.join('')} } as const;\n`);
  }
  return lines.join('');
}

function exportsOf(sources) {
  const index = sources['index.ts'] ?? '';
  const names = [...index.matchAll(/export function (\w+)/g)].map(([, name]) => [name, name, undefined]);
  for (const [, list, file] of index.matchAll(/export \{([^}]*)\}(?: from '\.\/([\w-]+)')?;/g)) {
    for (const entry of list
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)) {
      const [inside, outside = inside] = entry.split(' as ');
      names.push([outside, inside, file]);
    }
  }
  const lines = names.map(([outside, inside, file]) => {
    const places = file === undefined ? [index, ...Object.values(sources)] : [sources[`${file}.ts`] ?? ''];
    return `  readonly ${outside}: ${typeOf(inside, places)};\n`;
  });
  return `/** What the module exports; a record is its address. */\nexport interface Exports {\n${lines.join('')}}\n`;
}

/** The type of a function, as JavaScript sees it. */
function typeOf(name, sources) {
  const declaration = new RegExp(`function ${name}(?:<[^(]*>)?\\(([^)]*)\\): (\\w+)`);
  for (const source of sources) {
    const [, parameters, result] = declaration.exec(source) ?? [];
    if (parameters === undefined) continue;
    const numbers = [...parameters.matchAll(/(\w+): \w+/g)].map(([, parameter]) => `${parameter}: number`);
    return `(${numbers.join(', ')}) => ${result === 'void' ? 'void' : 'number'}`;
  }
  throw new Error(`index.ts exports ${name}, which is declared nowhere`);
}
