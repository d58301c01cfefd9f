// What went wrong, in a sentence for people.

export class Failure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  FILE_FORMAT: 'Choose a CSV, TSV, JSON, NDJSON, Parquet, Arrow or .npy file.',
  FILE_EMPTY: 'Choose a file with a header and some rows.',
  FILE_DAMAGED: 'Save or download it again, or give its name the ending of what it holds.',
  FILE_LINE: 'Mend that line, or save the file again from where it comes.',
  FILE_TOO_LARGE: 'Take a part of the rows, or run `npx curvad detect FILE` at a terminal, which has no limit.',
  TOO_FEW_ROWS: 'Add rows, or look at fewer neighbours.',
  OUT_OF_MEMORY: 'Take a part of the rows, or ignore columns.',
};

/** An error of any kind as a code and a sentence that ends with what to do. */
export function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof DOMException && error.name === 'AbortError') return { code: 'ABORTED', message: 'Cancelled.' };
  const { message, code = 'FAILED' } = error as { message?: string; code?: string };
  const said = String(message ?? error);
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? '' : '.'}`;
  const advice = ADVICE[code];
  return { code, message: advice === undefined ? sentence : `${sentence} ${advice}` };
}
