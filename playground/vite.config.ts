// The page as static files that work from any folder of any server.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { offline } from './offline-plugin.js';

/** With these, threads share memory; the page works without them, too. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const built = (file: string): string => fileURLToPath(new URL(`../dist/${file}.js`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  // The package as it is published: what a page gets that installs it.
  resolve: {
    alias: [
      { find: /^curvad$/, replacement: built('index') },
      { find: /^curvad\/(\w+)$/, replacement: built('$1') },
    ],
  },
  plugins: [offline()],
  worker: { format: 'es' },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0, emptyOutDir: true },
  server: { headers },
  preview: { headers, port: 4173 },
});
