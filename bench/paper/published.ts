// The numbers of the paper's Tables 1 and 2, verbatim: AUC in percent and seconds, mean ± standard deviation
// over folds. Its CAD column is inverted, and its row Arrhythmia was computed on letter (see RESULTS.md).
import type { Spread } from './spread.js';

/** The columns of Table 1, in order; Table 2 has the first three. */
export const METHOD_NAMES = ['CAD', 'K-CAD rbf', 'K-CAD poly', 'IForest', 'LOF', 'SVM', 'EE'] as const;
export type MethodName = (typeof METHOD_NAMES)[number];

export type Phase = 'train' | 'test';
export type Quantity = 'time' | 'AUC';
/** A number of the paper, with the characters it is printed in. */
export interface Printed extends Spread {
  readonly text: string;
}

/** What a row is about (a data set, or k), the phase, the quantity, and a number per method. */
type Row = readonly [about: string, phase: Phase, quantity: Quantity, ...cells: string[]];

// biome-ignore format: a table
export const TABLE_1: readonly Row[] = [
  ['Speech', 'train', 'time', '14.84±0.21', '13.54±0.21', '13.87±0.33', '2.82±0.06', '6.53±0.02', '6.12±0.02', '23.35±0.25'],
  ['Speech', 'train', 'AUC', '34.78±0.15', '76.15±2.08', '63.69±1.48', '48.37±1.38', '53.99±1.75', '46.63±1.59', '49.16±1.84'],
  ['Speech', 'test', 'time', '7.16±0.03', '1.38±0.03', '1.42±0.03', '0.06±00.01', '7.31±0.10', '0.24±0.01', '0.01±0.00'],
  ['Speech', 'test', 'AUC', '42.07±10.48', '71.23±13.18', '56.15±10.48', '45.23±12.17', '53.53±12.29', '44.55±12.09', '47.25±12.54'],
  ['Optdigits', 'train', 'time', '13.27±0.11', '26.96±0.31', '25.86±0.48', '0.81±0.01', '1.84±0.02', '3.10±0.01', '0.96±0.04'],
  ['Optdigits', 'train', 'AUC', '32.67±1.53', '87.52±1.76', '77.79±1.45', '68.38±4.64', '60.84±1.67', '50.52±3.81', '39.04±2.44'],
  ['Optdigits', 'test', 'time', '11.24±0.12', '2.67±0.01', '2.59±0.03', '0.03±0.01', '2.13±0.08', '0.15±00.00', '00.01±00.00'],
  ['Optdigits', 'test', 'AUC', '26.28±7.10', '88.22±5.62', '79.72±4.81', '68.36±8.11', '61.12±11.65', '37.49±7.41', '38.84±4.29'],
  ['Arrhythmia', 'train', 'time', '4.76±0.02', '2.75±0.06', '2.53±0.03', '0.20±0.01', '0.07±00.00', '0.13±00.00', '0.85±0.02'],
  ['Arrhythmia', 'train', 'AUC', '52.89±0.96', '48.87±0.51', '73.92±1.12', '62.43±2.05', '91.04±0.66', '88.56±00.87', '80.59±0.65'],
  ['Arrhythmia', 'test', 'time', '1.59±0.01', '0.30±0.01', '0.28±00.00', '0.02±0.01', '0.08±0.00', '0.01±00.00', '00.01±00.00'],
  ['Arrhythmia', 'test', 'AUC', '48.02±9.06', '48.56±5.38', '71.88±9.23', '63.07±11.55', '90.57±5.47', '90.03±5.63', '80.32±4.73'],
  ['Wine', 'train', 'time', '0.28±0.00', '0.03±0.03', '0.03±0.01', '0.09±0.00', '0.01±0.00', '0.01±0.00', '0.05±0.02'],
  ['Wine', 'train', 'AUC', '25.59±4.28', '27.04±10.66', '92.11±7.06', '79.56±10.59', '98.70±1.29', '68.59±4.25', '59.56±37.15'],
  ['Wine', 'test', 'time', '0.18±00.00', '0.02±00.00', '0.01±0.00', '0.02±0.00', '0.01±0.00', '0.01±0.00', '0.01±0.00'],
  ['Wine', 'test', 'AUC', '23.65±14.45', '40.17±13.12', '86.97±2.96', '76.09±10.11', '92.58±5.69', '91.13±3.83', '57.70±38.84'],
  ['Musk', 'train', 'time', '11.15±0.20', '9.67±0.47', '9.42±0.03', '0.98±0.01', '1.16±0.03', '3.16±0.00', '10.16±0.32'],
  ['Musk', 'train', 'AUC', '40.69±2.97', '69.68±2.97', '93.45±1.46', '99.91±00.00', '41.93±3.34', '57.99±7.34', '99.99±00.00'],
  ['Musk', 'test', 'time', '4.89±0.02', '0.98±0.02', '0.98±0.01', '0.03±0.00', '1.24±0.01', '0.17±0.00', '0.01±0.00'],
  ['Musk', 'test', 'AUC', '30.30±10.37', '50.00±0.00', '93.80±3.77', '99.95±0.00', '39.00±10.55', '5.71±3.63', '100±0.00'],
];

/** The study of k, on the row Arrhythmia of Table 1. */
// biome-ignore format: a table
export const TABLE_2: readonly Row[] = [
  ['3', 'train', 'time', '0.55±0.00', '3.25±0.15', '3.06±0.16'],
  ['3', 'train', 'AUC', '37.01±1.00', '49.83±0.63', '63.61±1.36'],
  ['3', 'test', 'time', '1.12±0.02', '0.37±0.01', '0.35±0.01'],
  ['3', 'test', 'AUC', '45.51±6.21', '49.32±1.69', '61.67±10.18'],
  ['10', 'train', 'time', '4.76±0.02', '2.75±0.06', '2.53±0.03'],
  ['10', 'train', 'AUC', '52.89±0.96', '48.87±0.51', '73.92±1.12'],
  ['10', 'test', 'time', '1.59±0.01', '0.30±0.01', '0.28±00.00'],
  ['10', 'test', 'AUC', '48.02±9.06', '48.56±5.38', '71.88±9.23'],
  ['20', 'train', 'time', '16.56±0.07', '3.41±0.13', '3.24±0.24'],
  ['20', 'train', 'AUC', '56.87±1.02', '49.33±0.91', '76.83±1.07'],
  ['20', 'test', 'time', '2.88±0.01', '0.39±0.01', '0.36±0.01'],
  ['20', 'test', 'AUC', '47.90±9.18', '49.27±7.06', '74.88±8.47'],
];

/** A number of the paper, or undefined where it has none. */
export function published(
  table: readonly Row[],
  about: string | undefined,
  phase: Phase,
  quantity: Quantity,
  method: MethodName,
): Printed | undefined {
  const row = table.find(([name, ...what]) => name === about && what[0] === phase && what[1] === quantity);
  const text = row?.[3 + METHOD_NAMES.indexOf(method)];
  return text === undefined ? undefined : readPrinted(text);
}

function readPrinted(text: string): Printed {
  const [mean, std] = text.split('±').map(Number);
  if (mean === undefined || std === undefined || !Number.isFinite(mean + std))
    throw new Error(`not mean ± std: ${text}`);
  return { mean, std, text };
}
