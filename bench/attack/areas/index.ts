// The areas of the attack, in the order in which they are run.
import type { Area } from '../attack.js';
import { files } from './files.js';
import { methods } from './methods.js';
import { misuse } from './misuse.js';
import { models } from './models.js';
import { service } from './service.js';
import { streams } from './streams.js';
import { threads } from './threads.js';

export const AREAS: readonly Area[] = [models, files, methods, streams, misuse, service, threads];
