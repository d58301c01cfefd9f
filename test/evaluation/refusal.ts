// How the evaluation refuses bad input: as everything does.
export { type BadCall, expectRefusal } from '../support/refusals.js';
