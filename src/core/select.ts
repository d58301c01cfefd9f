// Selects the backend. 'auto' uses WebAssembly, or plain TypeScript where WebAssembly or its SIMD is missing or refused
// (by a strict content security policy).
import type { Backend, BackendName } from './backend.js';
import { CurvadError, describe } from './errors.js';
import { jsBackend } from './js/backend.js';
import { checkOptionNames } from './options.js';
import { wasmBackend } from './wasm/backend.js';
import { BUILDS, giveBinary } from './wasm/binaries.js';
import type { Build, CompiledModule } from './wasm/build.js';
import { isSupported } from './wasm/core.js';

/** 'auto' falls back to 'js' where WebAssembly with SIMD is missing or refused; 'wasm' does not. */
export type BackendChoice = 'auto' | 'wasm' | BackendName;

export const BACKEND_CHOICES: readonly BackendChoice[] = ['auto', 'wasm', 'js', 'wasm-simd'];

const chosen = new Map<BackendChoice, Backend>();

export function selectBackend(choice: BackendChoice): Backend {
  let backend = chosen.get(choice);
  if (backend === undefined) {
    backend = find(choice);
    chosen.set(choice, backend);
  }
  return backend;
}

/**
 * Sets WebAssembly builds that you host yourself (`curvad/wasm/simd.wasm`), as bytes or compiled modules, for
 * `curvad/js`, which includes none. Detectors created afterwards use them.
 */
export function useWasm(builds: Partial<Record<Build, Uint8Array | ArrayBuffer | CompiledModule>>): void {
  for (const [build, binary] of Object.entries(checkOptionNames(builds, BUILDS, 'useWasm'))) {
    const isModule = typeof WebAssembly === 'object' && binary instanceof WebAssembly.Module;
    if (!isModule && !(binary instanceof Uint8Array) && !(binary instanceof ArrayBuffer))
      throw new CurvadError('WASM_TYPE', `${build} must be bytes or a WebAssembly.Module, got ${describe(binary)}`);
    // Copies the bytes, as the caller may change or transfer them.
    giveBinary(build as Build, isModule ? binary : new Uint8Array(binary as Uint8Array).slice());
  }
  chosen.clear();
}

/**
 * The implementation of an algorithm other than search (a forest, a solver) for the chosen backend. Callers pass both
 * implementations, so that only what is used is bundled.
 */
export function implementationFor<Algorithm>(
  choice: BackendChoice,
  implementations: { js: Algorithm; wasm: (build: Build) => Algorithm },
): Algorithm {
  const { name } = selectBackend(choice);
  return name === 'js' ? implementations.js : implementations.wasm(name.slice('wasm-'.length) as Build);
}

/** The backend that 'auto' selects here. */
export function defaultBackend(): BackendName {
  return selectBackend('auto').name;
}

function find(choice: BackendChoice): Backend {
  switch (choice) {
    case 'js':
      return jsBackend;
    case 'auto':
      try {
        return bestWasm();
      } catch {
        return jsBackend;
      }
    case 'wasm':
    case 'wasm-simd':
      return bestWasm();
    default:
      throw new CurvadError(
        'BACKEND_UNKNOWN',
        `backend must be one of ${BACKEND_CHOICES.join(', ')}, got ${describe(choice)}`,
      );
  }
}

function bestWasm(): Backend {
  return unlessRefused(() => {
    const build = BUILDS.find(isSupported);
    if (build === undefined)
      throw new CurvadError('BACKEND_UNAVAILABLE', "this runtime has no WebAssembly with SIMD: use backend 'js'");
    return wasmBackend(build);
  });
}

/** Rethrows a refusal to compile with advice. */
function unlessRefused(find: () => Backend): Backend {
  try {
    return find();
  } catch (cause) {
    if (cause instanceof CurvadError) throw cause;
    throw new CurvadError(
      'BACKEND_UNAVAILABLE',
      "this runtime refused to compile WebAssembly (a content security policy needs 'wasm-unsafe-eval'): use backend 'js'",
      { cause },
    );
  }
}
