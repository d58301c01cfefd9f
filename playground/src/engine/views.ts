// Parts of the data as the page shows them: places on the map, columns along time, cells of rows.
import type { Column } from 'curvad/files';
import type { ReplyOf, RequestOf } from './protocol.js';
import { COMPONENTS } from './protocol.js';
import type { Session } from './session.js';

export function coordinatesOf({ data }: Session, { x, y }: RequestOf<'coordinates'>): ReplyOf<'coordinates'> {
  const isPlane = [x, y].some((axis) => COMPONENTS.includes(axis as (typeof COMPONENTS)[number]));
  return { x: data.along(x), y: data.along(y), shares: isPlane ? data.plane.shares : [] };
}

/** A column, and the rows in the order of time. */
export function columnOf({ data }: Session, { name }: RequestOf<'column'>): ReplyOf<'column'> {
  const { rows } = data.table;
  const order = Uint32Array.from({ length: rows }, (_, row) => row);
  const time = data.named('time');
  const times = time === undefined ? undefined : data.along(time);
  // Rows without a time come last.
  const at = (row: number): number => {
    const moment = times?.[row] ?? row;
    return Number.isNaN(moment) ? Number.MAX_VALUE : moment;
  };
  if (times !== undefined) order.sort((a, b) => at(a) - at(b) || a - b);
  return { values: data.along(name), order, times };
}

export function cellsOf({ data }: Session, { rows }: RequestOf<'cells'>): ReplyOf<'cells'> {
  return rows.map((row) => data.table.columns.map((column) => textOf(column, row)));
}

/** A cell as people read it; empty where it is missing. */
export function textOf(column: Column, row: number): string {
  switch (column.kind) {
    case 'number': {
      const value = column.values[row] as number;
      return Number.isNaN(value) ? '' : String(value);
    }
    case 'time': {
      const time = column.values[row] as number;
      if (Number.isNaN(time)) return '';
      const text = new Date(time).toISOString();
      return column.unit === 'day' ? text.slice(0, 10) : text.replace('T', ' ').replace(/(:00)?\.000Z$/, '');
    }
    case 'boolean':
      return column.values[row] === 1 ? 'true' : column.values[row] === 0 ? 'false' : '';
    case 'text':
      return column.texts[column.codes?.[row] ?? -1] ?? '';
    case 'integer':
      return column.present?.[row] === 0 ? '' : String(column.values[row]);
    case 'other':
      return column.values?.[row] ?? '';
  }
}
