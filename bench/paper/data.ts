// The data sets of the paper, read from a folder in the format of two files per set: the values, row after
// row, and a description with the labels. The values are checked against the checksum of the description.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface DataSet {
  readonly name: string;
  /** Row after row. */
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
  /** 1 for anomalies; empty where a set has no labels. */
  readonly labels: Uint8Array;
}

interface Description {
  n: number;
  d: number;
  dtype: string;
  sha256: string;
  labels?: number[];
}

const TYPES: Readonly<Record<string, (bytes: ArrayBuffer) => ArrayLike<number>>> = {
  uint8: (bytes) => new Uint8Array(bytes),
  float32: (bytes) => new Float32Array(bytes),
  float64: (bytes) => new Float64Array(bytes),
};

/** A data set, or undefined where the folder has none of that name. */
export function readData(folder: string, name: string): DataSet | undefined {
  const [description, values] = [join(folder, `${name}.json`), join(folder, `${name}.bin`)];
  if (!existsSync(description) || !existsSync(values)) return undefined;
  const { n, d, dtype, sha256, labels } = JSON.parse(readFileSync(description, 'utf8')) as Description;
  const file = readFileSync(values);
  if (createHash('sha256').update(file).digest('hex') !== sha256) {
    throw new Error(`${name}.bin is not the file that ${name}.json describes: its SHA-256 differs`);
  }
  const read = TYPES[dtype];
  if (read === undefined) throw new Error(`${name}.json has an unknown dtype, ${dtype}`);
  const data = Float64Array.from(read(new Uint8Array(file).buffer));
  const isFitting = data.length === n * d && (labels === undefined || labels.length === n);
  if (!isFitting) throw new Error(`${name}.json does not fit ${name}.bin`);
  return { name, data, rows: n, columns: d, labels: Uint8Array.from(labels ?? []) };
}
