import type { Plugin } from 'vite';

export function threadSources(): Plugin;
