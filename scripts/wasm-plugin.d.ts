import type { Plugin } from 'vite';

export function wasmAsText(): Plugin;
