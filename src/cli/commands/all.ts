// The commands. Each is loaded when it runs.

import { VERSION } from '../../core/version.js';
import type { Command } from '../command.js';
import { paint } from '../terminal.js';

interface Entry {
  readonly about: string;
  load(): Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, Entry>> = {
  detect: {
    about: 'find the anomalous rows of a file',
    load: async () => (await import('./detect.js')).detect,
  },
  score: {
    about: 'score new rows with a saved model, streaming',
    load: async () => (await import('./score.js')).score,
  },
  select: {
    about: 'select prototypes: rows that represent the others',
    load: async () => (await import('./select.js')).select,
  },
  compare: {
    about: 'compare detectors, with labels or without',
    load: async () => (await import('./compare.js')).compare,
  },
  watch: {
    about: 'score a stream line by line and learn from it',
    load: async () => (await import('./watch.js')).watch,
  },
  serve: {
    about: 'serve models over HTTP: Open Inference Protocol and MLflow',
    load: async () => (await import('./serve.js')).serve,
  },
  worker: {
    about: 'score Arrow streams on standard input, for use from other engines',
    load: async () => (await import('./worker.js')).worker,
  },
  inspect: { about: 'show what a model file contains', load: async () => (await import('./inspect.js')).inspect },
  example: {
    about: 'write the embedded example as CSV',
    load: async () => (await import('./example-file.js')).example,
  },
};

export function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const list = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return `curvad ${VERSION}: exact anomaly detection, from a file to ranked anomalies and a report

${paint('bold', 'Usage')}
  curvad COMMAND …          run a command
  curvad COMMAND --help     its options, with examples
  curvad                    run the detector on an embedded example
  curvad --version          the version

${paint('bold', 'Commands')}
${list.join('\n')}

${paint('bold', 'Files')}
  CSV and TSV (separator, header and quotes are detected), NDJSON, Parquet, Arrow (Feather) and .npy,
  also gzipped. Text columns with few distinct values are one-hot encoded; others are ignored, with a note.

${paint('bold', 'Examples')}
  curvad detect readings.csv --report report.html
  curvad detect readings.csv --contamination 0.01 --save model.curvad
  cat new.csv | curvad score model.curvad - > scores.csv

${paint('bold', 'Exit codes')}
  0 success    1 usage error    2 error in the data or a file    130 interrupted
`;
}
