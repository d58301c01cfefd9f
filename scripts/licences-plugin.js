// For rollup: collects the packages whose code is bundled, and writes their licence files to THIRD-PARTY-LICENSES.txt.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Packages published without a licence file, and a package of the same repository that has it. */
const LICENSED_WITH = { '@assemblyscript/loader': 'assemblyscript' };

/** Folders of packages, shared by all bundles of a build. */
const folders = new Set();

export function licencesOfBundled(file) {
  return {
    name: 'licences-of-bundled',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const [id, { renderedLength }] of Object.entries(chunk.modules ?? {})) {
          if (renderedLength > 0) add(id);
          // The source of a thread is itself a bundle.
          for (const inner of this.getModuleInfo(id)?.meta.bundled ?? []) add(join(root, inner));
        }
      }
    },
    writeBundle() {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, licencesOf([...folders].sort()));
    },
  };
}

function add(id) {
  const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(id.replaceAll('\\', '/').replace(/^\0/, '')) ?? [];
  if (folder !== undefined) folders.add(folder);
}

function licencesOf(packages) {
  const texts = new Map(packages.map(licenceOf)); // one entry for copies of one version
  const introduction = 'curvad contains code of these packages:\n\n';
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `${introduction}${[...texts.keys()].map((title) => `- ${title}\n`).join('')}${rule}${[...texts.values()].join(rule)}`;
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const other = LICENSED_WITH[name];
  const texts = papersIn(other === undefined ? folder : join(root, 'node_modules', other));
  if (texts.length === 0) throw new Error(`${name} has no licence file: name a package that has it in LICENSED_WITH`);
  const title = `${name} ${version} (${license})`;
  return [title, `${title}\n\n${texts.join('\n\n')}\n`];
}

/** Licence and notice files of a package, or else the licence section of its README. */
function papersIn(folder) {
  const names = readdirSync(folder).sort();
  const read = (name) => readFileSync(join(folder, name), 'utf8').trim();
  const files = names.filter((name) => /^(licen[cs]e|notice|copying)\b/i.test(name));
  if (files.length > 0) return files.map(read);
  const readme = names.find((name) => /^readme\.md$/i.test(name));
  const [, section] =
    /^#+ *licen[cs]e\s*$([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(readme === undefined ? '' : read(readme)) ?? [];
  return section !== undefined && /permission is hereby granted/i.test(section) ? [section.trim()] : [];
}
