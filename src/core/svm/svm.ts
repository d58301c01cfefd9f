// The one-class support vector machine of the backend chosen.
import { jsSvm } from '../js/svm.js';
import { type BackendChoice, implementationFor } from '../select.js';
import { wasmSvm } from '../wasm/svm/svm.js';
import type { SvmBackend } from './problem.js';

export function svmFor(choice: BackendChoice): SvmBackend {
  return implementationFor(choice, { js: jsSvm, wasm: wasmSvm });
}
