// The areas of the attack, in the order in which they are run.
import type { Area } from '../attack.js';
import { command } from './command.js';
import { files } from './files.js';
import { methods } from './methods.js';
import { misuse } from './misuse.js';
import { models } from './models.js';
import { service } from './service.js';
import { streams } from './streams.js';
import { tables } from './tables.js';
import { threads } from './threads.js';
import { worker } from './worker.js';

export const AREAS: readonly Area[] = [
  models,
  files,
  methods,
  tables,
  streams,
  misuse,
  service,
  worker,
  command,
  threads,
];
