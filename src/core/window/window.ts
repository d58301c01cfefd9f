// The window of the backend chosen.
import { jsWindow } from '../js/window.js';
import { type BackendChoice, implementationFor } from '../select.js';
import { wasmWindow } from '../wasm/search/window.js';
import type { WindowBackend } from './window-points.js';

export function windowFor(choice: BackendChoice): WindowBackend {
  return implementationFor<WindowBackend>(choice, { js: jsWindow, wasm: wasmWindow });
}
