import type { Plugin } from 'vite';

export function boundedParquet(): Plugin;
