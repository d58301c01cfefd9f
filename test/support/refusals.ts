// How wrong calls are refused: a CurvadError with its own code, the place, and a message that helps.
import { expect } from 'vitest';
import { CurvadError, type ErrorCode } from '../../src/index.js';

export interface BadCall {
  name: string;
  act: () => void;
  code: ErrorCode;
  message: RegExp;
  row?: number;
  column?: number;
}

export function expectRefusal({ act, code, message, row, column }: BadCall): void {
  const thrown = thrownBy(act);
  expect(thrown).toBeInstanceOf(CurvadError);
  const { code: actual, message: text, row: atRow, column: atColumn } = thrown as CurvadError;
  expect({ code: actual, row: atRow, column: atColumn }).toEqual({ code, row, column });
  expect(text).toMatch(message);
}

function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return 'nothing was thrown';
}
