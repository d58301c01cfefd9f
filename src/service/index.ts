// Scoring over HTTP: Open Inference Protocol v2 and MLflow's, as one fetch handler for Node, Deno, Bun and Workers.

export type { Ask } from './body.js';
export type { ModelOptions } from './served-model.js';
export { type Answer, Service, type ServiceOptions } from './service.js';
