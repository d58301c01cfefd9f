// The documentation site: the pages in docs/, and the reference that TypeDoc generates from dist/types.
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const docs = dirname(dirname(fileURLToPath(import.meta.url)));

/** The order of pages in the sidebar; others follow by name. */
const ORDER = [
  'guide',
  'tables',
  'files',
  'quality',
  'explanations',
  'streams',
  'playground',
  'service',
  'worker',
  'scale',
  'runtimes',
  'search',
  'benchmarks',
  'reliability',
  'architecture',
];

function pages(): { text: string; link: string }[] {
  const names = readdirSync(docs)
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .map((file) => file.slice(0, -'.md'.length));
  const place = (name: string): number => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  return names
    .sort((a, b) => place(a) - place(b) || a.localeCompare(b))
    .map((name) => ({ text: name.charAt(0).toUpperCase() + name.slice(1).replace(/-/g, ' '), link: `/${name}` }));
}

export default defineConfig({
  title: 'curvad',
  description: 'Anomaly detection for tables and streams: exact, fast, and wherever your data are.',
  srcExclude: ['node_modules/**'],
  // The README shows this picture too, so it is not in public/.
  buildEnd: ({ outDir }) => copyFileSync(join(docs, 'landscape.png'), join(outDir, 'landscape.png')),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: [
      { text: 'Pages', items: pages() },
      {
        text: 'Reference',
        link: '/reference/',
        items: [
          { text: 'curvad', link: '/reference/index/' },
          { text: 'curvad/files', link: '/reference/files/' },
          { text: 'curvad/streams', link: '/reference/streams/' },
          { text: 'curvad/service', link: '/reference/service/' },
        ],
      },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
  markdown: {
    config(md) {
      // Links to repository files that are not pages become text on the site, but the files must exist.
      md.core.ruler.push('repository-files', ({ tokens, env }) => {
        if (env.relativePath?.startsWith('reference/')) return;
        for (const { children } of tokens) {
          let isText = false;
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const [path = ''] = (token.attrGet('href') ?? '').split('#');
              isText = path.startsWith('../');
              if (!isText) continue;
              if (!existsSync(join(docs, path))) throw new Error(`${env.relativePath}: there is no file ${path}`);
              token.attrs = [['title', path.slice('../'.length)]];
            }
            if (isText && token.type.startsWith('link_')) token.tag = 'span';
          }
        }
      });
    },
  },
});
