// The one-class support vector machine of one build: its support vectors, and its solver.
import type { SvmBackend } from '../../svm/problem.js';
import type { Build } from '../build.js';
import { coreOf } from '../core.js';
import { solve } from './smo.js';
import { WasmSupportVectors } from './support-vectors.js';

export function wasmSvm(build: Build): SvmBackend {
  const core = coreOf(build);
  return {
    hold: (rows, columns, coefficients, kernel) => new WasmSupportVectors(core, rows, columns, coefficients, kernel),
    solve: (problem) => solve(core, problem),
  };
}
