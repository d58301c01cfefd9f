// How the evaluation refuses bad input: a CurvadError with its code, the place, and a message that helps.
import { expect } from 'vitest';
import { CurvadError, type ErrorCode } from '../../src/index.js';

export interface BadCall {
  name: string;
  act: () => void;
  code: ErrorCode;
  message: RegExp;
  row?: number;
}

export function expectRefusal({ act, code, message, row }: BadCall): void {
  let thrown: unknown = 'nothing was thrown';
  try {
    act();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CurvadError);
  const error = thrown as CurvadError;
  expect({ code: error.code, row: error.row }).toEqual({ code, row });
  expect(error.message).toMatch(message);
}
