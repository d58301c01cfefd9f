// The backend of a WebAssembly build: which search points are held for, and how they get into its memory.
import type { Backend, PointSet, Precision, SearchKind, TreePlan } from '../backend.js';
import type { RowSource } from '../input/matrix.js';
import type { Kernel } from '../kernel.js';
import { inBlocks, type Steps } from '../steps.js';
import type { Build } from './build.js';
import { type Core, coreOf } from './core.js';
import { WasmPoints } from './points.js';
import { chooseSearch, type Effort, PROBES, planSearch } from './search/plan.js';

/** The backend of one build. Throws where the runtime refuses to compile. */
export function wasmBackend(build: Build): Backend {
  const core = coreOf(build);
  return {
    name: `wasm-${build}`,
    hold: (rows, precision, kernel, kind) => hold(core, rows, precision, kernel, kind),
    holdImage(image) {
      const points = new WasmPoints(core, image);
      points.takeImage(image);
      return points;
    },
  };
}

function* hold(core: Core, rows: RowSource, precision: Precision, kernel: Kernel, kind?: SearchKind): Steps<PointSet> {
  const effort: Effort = (sample, tree) => effortOf(core, sample, precision, kernel, tree);
  const plan = kind === undefined ? yield* chooseSearch(rows, kernel, effort) : yield* planSearch(rows, kernel, kind);
  const { rows: count, columns } = rows;
  const points = new WasmPoints(core, { count, columns, precision, kernel, tree: plan });
  try {
    yield* inBlocks(rows.rows, rows.columns, (from, to) => points.fill(rows, from, to));
    yield* points.preparePanels();
    return points;
  } catch (error) {
    points.release();
    throw error;
  }
}

/** What a query costs among some rows in a tree: on average over some of them. */
function effortOf(core: Core, rows: RowSource, precision: Precision, kernel: Kernel, tree: TreePlan): number {
  const { rows: count, columns } = rows;
  const points = new WasmPoints(core, { count, columns, precision, kernel, tree });
  try {
    points.fill(rows, 0, rows.rows);
    return points.effortOf(Math.min(PROBES, rows.rows));
  } finally {
    points.release();
  }
}
