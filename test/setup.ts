// Node 20 runs relaxed SIMD only when V8 is told to; later versions need nothing.
import { setFlagsFromString } from 'node:v8';

if (Number(process.versions.node.split('.')[0]) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');
