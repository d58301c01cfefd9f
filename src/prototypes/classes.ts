// The second argument of selectors: class labels, targets of a regression, or nothing.

import { CurvadError, describe } from '../core/errors.js';
import type { MatrixInput } from '../core/input/matrix.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { allOf, readTable, type Table } from './table.js';

export type ClassLabel = number | string | boolean;

/** The class of each row: numbers, strings or booleans, all of one type. */
export type ClassLabels = ArrayLike<ClassLabel>;

/**
 * Values to predict from each row: one number per row, or several. IRMD and PSA use them; InverseCAD, SOS, SDM and
 * ShellExtraction ignore them; ENN and DROP3 need class labels instead.
 */
export interface RegressionTargets {
  readonly targets: ArrayLike<number> | MatrixInput;
}

/** Cost of reading a label, in values of a row. */
const LABEL = 8;

/** The rows of one class. */
export interface RowClass {
  /** Undefined without labels: all rows are then of one class. */
  readonly label: ClassLabel | undefined;
  /** Row numbers, ascending. */
  readonly rows: Uint32Array;
}

/** The input of a selector. */
export interface Problem {
  readonly table: Table;
  /** In ascending order of their labels. */
  readonly classes: readonly RowClass[];
  readonly targets: Table | undefined;
}

/** Checks rows and labels. */
export function* readProblem(rows: unknown, y: unknown): Steps<Problem> {
  const table = yield* readTable(rows);
  if (y === undefined || isTargets(y)) {
    const targets = y === undefined ? undefined : yield* readTargets(y.targets, table.rows);
    return { table, classes: [{ label: undefined, rows: allOf(table) }], targets };
  }
  return { table, classes: yield* readClasses(y, table.rows), targets: undefined };
}

/** The number of the class of each row, from 0. */
export function classNumbers({ table, classes }: Problem): Uint32Array {
  const numbers = new Uint32Array(table.rows);
  for (const [number, { rows }] of classes.entries()) for (const row of rows) numbers[row] = number;
  return numbers;
}

/** For messages. */
export function nameOf({ label }: RowClass): string {
  return label === undefined ? 'the data' : `class ${describe(label)}`;
}

function isTargets(y: unknown): y is { targets: unknown } {
  return typeof y === 'object' && y !== null && 'targets' in y;
}

function* readClasses(labels: unknown, rows: number): Steps<RowClass[]> {
  const list = checkList(labels);
  if (list.length !== rows) {
    throw new CurvadError('LENGTHS_DIFFER', `y must have a class for each of ${rows} rows, got ${list.length}`);
  }
  const members = new Map<ClassLabel, number[]>();
  yield* inBlocks(rows, LABEL, (from, to) => {
    for (let row = from; row < to; row++) {
      const label = checkLabel(list[row], row, list[0]);
      const known = members.get(label);
      if (known === undefined) members.set(label, [row]);
      else known.push(row);
    }
  });
  return [...members]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, own]) => ({ label, rows: new Uint32Array(own) }));
}

function checkList(labels: unknown): ArrayLike<unknown> {
  if (Array.isArray(labels) || (ArrayBuffer.isView(labels) && !(labels instanceof DataView))) {
    return labels as ArrayLike<unknown>;
  }
  throw new CurvadError('INPUT_TYPE', `y must be an array of class labels or { targets }, got ${describe(labels)}`);
}

function checkLabel(label: unknown, row: number, first: unknown): ClassLabel {
  const isLabel = typeof label === 'string' || typeof label === 'boolean' || Number.isFinite(label);
  if (!isLabel) {
    const rule = 'must be a string, a finite number, true or false';
    throw new CurvadError('LABEL_INVALID', `y[${row}] ${rule}, got ${describe(label)}`, { row });
  }
  if (typeof label !== typeof first) {
    // 1 and '1' would be two classes, which is surely a mistake.
    const mixed = `y[${row}] is ${describe(label)} and y[0] is ${describe(first)}`;
    throw new CurvadError('LABEL_INVALID', `labels must be all of one type, but ${mixed}`, { row });
  }
  return label as ClassLabel;
}

function* readTargets(targets: unknown, rows: number): Steps<Table> {
  let table: Table;
  try {
    table = yield* readTable(isListOfNumbers(targets) ? Array.from(targets, (value) => [value]) : targets);
  } catch (error) {
    if (!(error instanceof CurvadError)) throw error;
    const { row, column } = error;
    const place = { ...(row === undefined ? {} : { row }), ...(column === undefined ? {} : { column }) };
    throw new CurvadError('TARGETS_INVALID', `targets: ${error.message}`, { ...place, cause: error });
  }
  if (table.rows !== rows) {
    throw new CurvadError('LENGTHS_DIFFER', `targets must be given for each of ${rows} rows, got ${table.rows}`);
  }
  return table;
}

function isListOfNumbers(targets: unknown): targets is ArrayLike<number> {
  if (Array.isArray(targets)) return targets.length > 0 && typeof targets[0] !== 'object';
  return ArrayBuffer.isView(targets) && !(targets instanceof DataView);
}
