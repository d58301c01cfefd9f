// What curvad/files offers: tables read from files and written to them, in every runtime.
export { CurvadError } from '../core/errors.js';
export type {
  BooleanColumn,
  Cell,
  Column,
  DateOrder,
  IntegerColumn,
  NumberColumn,
  Numbers,
  OtherColumn,
  Strays,
  Table,
  TextColumn,
  TimeColumn,
} from '../tables/table.js';
export { cellAt } from '../tables/table.js';
export { MISSING_AMONG_NUMBERS, MISSING_MARKERS } from '../tables/words.js';
export type { FileInput } from './input.js';
export { type FileFormat, FORMATS, type ReadOptions } from './options.js';
export { readTable } from './read.js';
export { readTables, type TableFiles } from './several.js';
export type { ByteSource, Chunks } from './source.js';
export { WRITE_FORMATS, type WriteFormat, type WriteOptions, writeTable } from './write.js';
