import type { Report } from './support.js';

export function conform(curvad: typeof import('../../src/index.js'), models: Record<string, number[]>): Promise<Report>;
