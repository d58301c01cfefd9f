// The numbers of the paper's Table 3, verbatim: accuracy in percent, mean absolute error, adjusted Rand index,
// seconds, and the share of the training rows kept. It prints no spread.

/** The columns of its left half: methods that rank, at a given share. */
export const RANKING = ['iCAD', 'K-iCAD rbf', 'K-iCAD poly', 'IRMD', 'PSA', 'SOS', 'SE', 'SDM'] as const;
/** The columns of its right half: methods that decide themselves what stays, and no reduction. */
export const RETAINING = ['iCAD', 'K-iCAD rbf', 'K-iCAD poly', 'ENN', 'DROP3', 'NR'] as const;
export type RankingName = (typeof RANKING)[number];
export type RetainingName = (typeof RETAINING)[number];

/** A number of the paper, with the characters it is printed in. */
export interface Printed {
  readonly value: number;
  readonly text: string;
}

/** A data set, a model or 'time', the share in percent, and a number per method. */
type RankingRow = readonly [data: string, what: string, share: string, ...cells: string[]];
/** A data set, a model or 'time' or 'kept', and a number per method. */
type RetainingRow = readonly [data: string, what: string, ...cells: string[]];

// biome-ignore format: a table
export const TABLE_3A: readonly RankingRow[] = [
  ['Pima', 'time', '', '1.98E+0', '4.41E-1', '4.14E-1', '9.52E-3', '5.87E+0', '2.13E-2', '1.59E-2', '4.51E-3'],
  ['Pima', '1NN', '20', '70.69%', '67.70%', '61.97%', '67.28%', '66.53%', '67.06%', '44.40%', '62.87%'],
  ['Pima', '1NN', '50', '70.83%', '66.01%', '64.96%', '66.64%', '64.44%', '67.04%', '50.64%', '66.39%'],
  ['Pima', '1NN', '70', '69.26%', '67.56%', '65.74%', '67.95%', '65.75%', '66.91%', '65.62%', '67.81%'],
  ['Pima', 'LDA', '20', '75.64%', '67.82%', '72.25%', '70.81%', '76.17%', '73.56%', '54.55%', '65.09%'],
  ['Pima', 'LDA', '50', '76.42%', '76.03%', '76.43%', '73.81%', '76.81%', '76.43%', '71.35%', '73.68%'],
  ['Pima', 'LDA', '70', '76.94%', '76.82%', '76.81%', '75.38%', '76.82%', '76.56%', '76.55%', '74.98%'],
  ['Pima', 'SVM', '20', '63.28%', '57.65%', '62.50%', '59.62%', '57.68%', '63.52%', '42.04%', '63.78%'],
  ['Pima', 'SVM', '50', '65.22%', '62.25%', '57.94%', '61.57%', '61.57%', '62.25%', '48.15%', '60.01%'],
  ['Pima', 'SVM', '70', '62.76%', '61.28%', '56.40%', '55.97%', '60.42%', '62.63%', '55.23%', '64.98%'],
  ['ImageSegment', 'time', '', '6.25E+0', '1.20E+0', '1.04E+0', '3.64E-2', '3.28E+2', '5.86E-2', '4.85E-2', '1.38E-2'],
  ['ImageSegment', '1NN', '20', '90.34%', '81.42%', '83.72%', '78.00%', '90.25%', '89.26%', '83.41%', '80.99%'],
  ['ImageSegment', '1NN', '50', '93.41%', '89.43%', '92.85%', '86.83%', '94.76%', '94.19%', '84.71%', '87.05%'],
  ['ImageSegment', '1NN', '70', '94.84%', '92.20%', '95.75%', '91.03%', '96.06%', '95.41%', '90.69%', '90.00%'],
  ['ImageSegment', 'LDA', '20', '89.26%', '85.97%', '90.86%', '82.90%', '90.47%', '90.51%', '85.23%', '86.36%'],
  ['ImageSegment', 'LDA', '50', '90.64%', '90.04%', '91.94%', '86.32%', '91.08%', '91.16%', '86.27%', '87.83%'],
  ['ImageSegment', 'LDA', '70', '90.90%', '90.99%', '91.64%', '88.26%', '91.42%', '91.34%', '90.30%', '89.48%'],
  ['ImageSegment', 'SVM', '20', '73.41%', '77.74%', '76.40%', '71.42%', '78.44%', '78.35%', '71.73%', '71.86%'],
  ['ImageSegment', 'SVM', '50', '80.90%', '81.08%', '80.30%', '80.60%', '77.18%', '82.85%', '70.60%', '81.34%'],
  ['ImageSegment', 'SVM', '70', '84.71%', '84.71%', '83.67%', '78.87%', '82.20%', '85.67%', '86.79%', '84.32%'],
  ['Facebook', 'time', '', '1.30E+0', '6.33E-1', '1.01E+0', '7.01E-3', '1.08E+0', '1.40E-2', '8.40E-3', '4.81E-3'],
  ['Facebook', 'LR', '20', '7.57E+3', '6.00E+3', '7.45E+3', '5.28E+3', '9.98E+3', '6.07E+3', '1.89E+4', '7.50E+3'],
  ['Facebook', 'LR', '50', '6.11E+3', '5.51E+3', '5.86E+3', '4.85E+3', '6.30E+3', '6.25E+3', '6.59E+3', '5.69E+3'],
  ['Facebook', 'LR', '70', '5.70E+3', '6.00E+3', '5.72E+3', '4.95E+3', '5.55E+3', '5.90E+3', '5.83E+3', '5.30E+3'],
  ['Facebook', 'RF', '20', '8.54E+3', '7.87E+3', '6.85E+3', '5.53E+3', '7.12E+3', '6.56E+3', '1.09E+4', '6.58E+3'],
  ['Facebook', 'RF', '50', '6.41E+3', '7.08E+3', '6.28E+3', '5.02E+3', '6.20E+3', '6.76E+3', '6.10E+3', '7.19E+3'],
  ['Facebook', 'RF', '70', '5.92E+3', '6.95E+3', '6.19E+3', '5.03E+3', '5.86E+3', '6.26E+3', '6.32E+3', '6.03E+3'],
  ['Facebook', 'MLP', '20', '1.348E+4', '1.61E+4', '1.02E+4', '7.11E+3', '2.12E+4', '7.46E+3', '4.70E+4', '2.31E+4'],
  ['Facebook', 'MLP', '50', '6.10E+3', '5.44E+3', '5.57E+3', '4.75E+3', '6.93E+3', '6.02E+3', '5.62E+3', '6.64E+3'],
  ['Facebook', 'MLP', '70', '6.31E+3', '6.06E+3', '5.66E+3', '5.14E+3', '5.75E+3', '5.95E+3', '5.86E+3', '6.00E+3'],
  ['Iris', 'time', '', '4.96E-1', '5.30E-2', '4.46E-2', '1.60E-3', '2.83E-1', '3.70E-3', '3.00E-1', '1.90E-3'],
  ['Iris', 'K-means', '20', '6.87E-1', '1.56E-1', '2.34E-1', '1.32E-1', '6.18E-1', '6.92E-1', '5.02E-1', '4.89E-1'],
  ['Iris', 'K-means', '50', '6.98E-1', '7.13E-1', '8.33E-1', '5.93E-1', '7.01E-1', '7.38E-1', '4.85E-1', '5.77E-1'],
  ['Iris', 'K-means', '70', '7.18E-1', '7.83E-1', '8.20E-1', '6.53E-1', '7.18E-1', '7.35E-1', '6.27E-1', '7.12E-1'],
  ['Iris', 'Birch', '20', '6.09E-1', '0.00E+0', '1.26E-1', '1.07E-1', '6.97E-1', '6.41E-1', '5.10E-1', '2.90E-1'],
  ['Iris', 'Birch', '50', '6.48E-1', '6.58E-1', '7.15E-1', '6.35E-1', '6.11E-1', '5.34E-1', '5.11E-1', '5.92E-1'],
  ['Iris', 'Birch', '70', '6.67E-1', '7.17E-1', '7.37E-1', '6.61E-1', '6.48E-1', '5.79E-1', '6.23E-1', '6.04E-1'],
];

// biome-ignore format: a table
export const TABLE_3B: readonly RetainingRow[] = [
  ['Pima', 'time', '2.09E+0', '4.73E-1', '4.73E-1', '1.87E-2', '5.00E+0', '×'],
  ['Pima', 'kept', '(40.79%)', '(4.35%)', '(12.76%)', '(69.40%)', '(13.44%)', ''],
  ['Pima', '1NN', '65.23%', '66.93%', '65.88%', '71.74%', '64.06%', '68.48%'],
  ['Pima', 'LDA', '65.62%', '71.74%', '66.14%', '77.07%', '75.12%', '77.73%'],
  ['Pima', 'SVM', '64.84%', '63.92%', '63.93%', '67.18%', '53.12%', '64.57%'],
  ['ImageSegment', 'time', '6.13E+0', '1.58E+0', '1.44E+0', '1.30E-1', '3.13E+2', '×'],
  ['ImageSegment', 'kept', '(9.54%)', '(3.97%)', '(3.14%)', '(95.25%)', '(6.78%)', ''],
  ['ImageSegment', '1NN', '47.22%', '49.13%', '49.43%', '94.45%', '60.34%', '96.45%'],
  ['ImageSegment', 'LDA', '60.60%', '58.70%', '59.91%', '67.57%', '79.35%', '91.55%'],
  ['ImageSegment', 'SVM', '39.43%', '40.38%', '38.70%', '78.52%', '55.10%', '85.23%'],
  ['Facebook', 'time', '1.26E+0', '3.18E-1', '3.18E-1', '×', '×', '×'],
  ['Facebook', 'kept', '(49.96%)', '(6.95%)', '(34.81%)', '', '', ''],
  ['Facebook', 'LR', '6.10E+3', '1.56E+4', '6.41E+3', '×', '×', '5.81E+3'],
  ['Facebook', 'RF', '6.36E+3', '9.82E+3', '6.46E+3', '×', '×', '6.17E+3'],
  ['Facebook', 'MLP', '6.11E+3', '5.06E+4', '8.31E+3', '×', '×', '5.72E+3'],
  ['Iris', 'time', '4.68E-1', '6.07E-2', '5.95E-2', '×', '×', '×'],
  ['Iris', 'kept', '(60.59%)', '(84.07%)', '(84.07%)', '', '', ''],
  ['Iris', 'K-means', '7.34E-1', '8.06E-1', '8.20E-1', '×', '×', '7.03E-1'],
  ['Iris', 'Birch', '7.71E-1', '6.60E-1', '6.85E-1', '×', '×', '5.93E-1'],
];

/** What a ranking method reached at a share (in percent; none for 'time'), or undefined where the paper has nothing. */
export function publishedRanking(
  data: string,
  what: string,
  share: number | undefined,
  method: RankingName,
): Printed | undefined {
  const row = TABLE_3A.find((cells) => cells[0] === data && cells[1] === what && cells[2] === `${share ?? ''}`);
  return readPrinted(row?.[3 + RANKING.indexOf(method)]);
}

/** What a retaining method reached, or undefined where the paper has nothing. */
export function publishedRetaining(data: string, what: string, method: RetainingName): Printed | undefined {
  const row = TABLE_3B.find((cells) => cells[0] === data && cells[1] === what);
  return readPrinted(row?.[2 + RETAINING.indexOf(method)]);
}

/** '70.69%', '(40.79%)', '7.57E+3', or '×' and '' for nothing. */
function readPrinted(text: string | undefined): Printed | undefined {
  if (text === undefined || text === '' || text === '×') return undefined;
  const value = Number(text.replace(/[()%]/g, ''));
  if (!Number.isFinite(value)) throw new Error(`not a number: ${text}`);
  return { value, text };
}
