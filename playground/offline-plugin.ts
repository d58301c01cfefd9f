// Adds the service worker that keeps every file of the page, so that it works without a network after the first visit.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = new URL('service-worker.js', import.meta.url);
const PUBLIC = fileURLToPath(new URL('public/', import.meta.url));

export function offline(): Plugin {
  return {
    name: 'curvad-offline',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const hash = createHash('sha256');
      for (const output of Object.values(bundle)) hash.update(output.type === 'chunk' ? output.code : output.source);
      // Files that begin with an underscore are for the server.
      const extra = readdirSync(PUBLIC).filter((name) => !name.startsWith('_'));
      const files = ['./', ...Object.keys(bundle).filter((name) => !name.endsWith('.map')), ...extra];
      const source = readFileSync(SOURCE, 'utf8')
        .replace("'VERSION'", JSON.stringify(hash.digest('hex').slice(0, 16)))
        .replace("['FILES']", JSON.stringify([...new Set(files)]));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  };
}
