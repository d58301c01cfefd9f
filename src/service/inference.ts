// The Open Inference Protocol, version 2: tensors in, tensors out.
import { BINARY, type BinaryTensors, JSON_LENGTH, joined } from './binary-tensors.js';
import { HttpError } from './http-error.js';
import { PackedAnswer } from './route.js';
import { fromColumns, fromRows, isObject, listOf, objectOf, type Plain } from './rows.js';
import type { Scored, ServedModel } from './served-model.js';

const DATATYPES = [
  'FP64',
  'FP32',
  'FP16',
  'INT64',
  'INT32',
  'INT16',
  'INT8',
  'UINT64',
  'UINT32',
  'UINT16',
  'UINT8',
  'BOOL',
  'BYTES',
];
const OUTPUTS = ['score', 'label'] as const;
type Output = (typeof OUTPUTS)[number];

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: readonly unknown[];
}

interface WantedOutput {
  readonly name: Output;
  readonly isBinary: boolean;
}

export interface InferenceRequest {
  readonly id: string | undefined;
  readonly outputs: readonly WantedOutput[];
  readonly rows: unknown;
}

/** The metadata of a model: its inputs and outputs. */
export function metadataOf(model: ServedModel, versions: readonly string[]): Plain {
  return {
    name: model.name,
    versions,
    platform: 'curvad',
    inputs: inputsOf(model),
    outputs: [
      { name: 'score', datatype: 'FP64', shape: [-1] },
      { name: 'label', datatype: 'INT32', shape: [-1] },
    ],
  };
}

/** One tensor if all columns are numbers, otherwise one per column. */
function inputsOf({ recipe, names }: ServedModel): Plain[] {
  if (recipe.columns.every(({ kind }) => kind === 'number')) {
    const columns = recipe.columns.length;
    return [{ name: 'rows', datatype: 'FP64', shape: [-1, columns], ...(names && { parameters: { columns: names } }) }];
  }
  return recipe.columns.map((column) => ({
    name: column.name,
    datatype: column.kind === 'number' ? 'FP64' : column.kind === 'boolean' ? 'BOOL' : 'BYTES',
    shape: [-1],
    ...(column.kind === 'category' && { parameters: { values: column.values } }),
  }));
}

export function readInference(body: unknown, model: ServedModel, binary?: BinaryTensors): InferenceRequest {
  const { id, inputs, outputs, parameters } = objectOf(body, 'the body');
  if (id !== undefined && typeof id !== 'string') throw invalid('id must be text');
  const tensors = listOf(inputs, 'inputs').map((input, i) => tensorOf(input, i, binary));
  binary?.end();
  const isBinary = isObject(parameters) && parameters['binary_data_output'] === true;
  const wanted = outputs === undefined ? OUTPUTS.map((name) => ({ name })) : listOf(outputs, 'outputs');
  return { id, outputs: wanted.map((output) => outputOf(output, isBinary)), rows: rowsOfTensors(tensors, model) };
}

/** One tensor of all columns, or one per column by name. */
function rowsOfTensors(tensors: readonly Tensor[], model: ServedModel): unknown {
  const [first] = tensors;
  if (first === undefined) throw invalid('inputs must have a tensor');
  const isWhole = tensors.length === 1 && (first.shape.length === 2 || !model.names?.includes(first.name));
  if (!isWhole) {
    const columns: Array<[string, unknown]> = tensors.map(({ name, shape, values }) => {
      if (shape.length > 2 || (shape[1] ?? 1) !== 1)
        throw invalid(`input ${JSON.stringify(name)} must be one column of shape [rows] or [rows, 1]`);
      return [name, values];
    });
    if (new Set(columns.map(([name]) => name)).size < columns.length) throw invalid('two inputs have the same name');
    return fromColumns(Object.fromEntries(columns), model);
  }
  const { shape, values, name } = first;
  if (shape.length !== 2)
    throw invalid(`input ${JSON.stringify(name)} must have the shape [rows, ${model.recipe.columns.length}]`);
  const [rows, columns] = shape as [number, number];
  if (values.length === 0) return [];
  return fromRows(
    Array.from({ length: rows }, (_, i) => values.slice(i * columns, (i + 1) * columns)),
    model,
  );
}

function tensorOf(value: unknown, i: number, binary: BinaryTensors | undefined): Tensor {
  const { name, shape, datatype, data, parameters } = objectOf(value, `input ${i}`);
  if (typeof name !== 'string') throw invalid(`input ${i} must have a name`);
  if (typeof datatype !== 'string' || !DATATYPES.includes(datatype))
    throw invalid(`the datatype of input ${i} must be one of ${DATATYPES.join(', ')}`);
  const sizes = listOf(shape, `the shape of input ${i}`);
  if (sizes.length === 0 || !sizes.every((size) => Number.isSafeInteger(size) && (size as number) >= 0))
    throw invalid(`the shape of input ${i} must be whole numbers`);
  const size = isObject(parameters) ? parameters['binary_data_size'] : undefined;
  if (size !== undefined && binary === undefined)
    throw invalid(`input ${i} is binary data: the header ${JSON_LENGTH} must tell the length of the JSON before it`);
  const given = size === undefined ? flattened(listOf(data, `the data of input ${i}`)) : binary?.take(datatype, size);
  const values = (given as readonly unknown[]).map((item) =>
    datatype === 'BOOL' && typeof item === 'boolean' ? Number(item) : item,
  );
  const expected = (sizes as number[]).reduce((product, size) => product * size, 1);
  if (values.length !== expected)
    throw invalid(`input ${i} has ${values.length} values, its shape [${sizes.join(', ')}] has ${expected}`);
  return { name, shape: sizes as number[], values };
}

/** Tensors are row-major, as one list or as lists of lists. */
function flattened(data: readonly unknown[]): readonly unknown[] {
  return data.some(Array.isArray) ? (data.flat(8) as unknown[]) : data;
}

function outputOf(value: unknown, isBinary: boolean): WantedOutput {
  const { name, parameters } = isObject(value) ? value : {};
  if (!OUTPUTS.includes(name as Output)) throw invalid(`outputs must be among ${OUTPUTS.join(', ')}`);
  const own = isObject(parameters) ? parameters['binary_data'] : undefined;
  return { name: name as Output, isBinary: typeof own === 'boolean' ? own : isBinary };
}

export function answerInference(
  { name, version }: ServedModel,
  { id, outputs }: InferenceRequest,
  { scores, threshold }: Scored,
): Plain | PackedAnswer {
  const data = {
    score: () => scores as Float64Array<ArrayBuffer>,
    label: () => Int32Array.from(scores, (score) => (score > threshold ? 1 : 0)),
  };
  const parts: ArrayBufferView<ArrayBuffer>[] = [];
  const tensors = outputs.map(({ name: output, isBinary }) => {
    const values = data[output]();
    const tensor = { name: output, shape: [scores.length], datatype: output === 'score' ? 'FP64' : 'INT32' };
    if (!isBinary) return { ...tensor, data: Array.from(values) };
    parts.push(values);
    return { ...tensor, parameters: { binary_data_size: values.byteLength } };
  });
  const answer = { model_name: name, model_version: version, ...(id !== undefined && { id }), outputs: tensors };
  if (parts.length === 0) return answer;
  const { body, length } = joined(JSON.stringify(answer), parts);
  return new PackedAnswer(body, BINARY, { [JSON_LENGTH]: String(length) });
}

function invalid(message: string): HttpError {
  return new HttpError(400, 'BODY_INVALID', message);
}
