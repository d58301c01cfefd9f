// The areas of the attack, in the order in which they are run.
import type { Area } from '../attack.js';
import { files } from './files.js';
import { models } from './models.js';

export const AREAS: readonly Area[] = [models, files];
