import type { Plugin } from 'vite';

export function wasmAsBase64(): Plugin;
