// The backend of a WebAssembly build: chooses the search for points and copies them to memory.
import { type Backend, PLACES, type PointSet, type Precision, type SearchPlan, type TreePlan } from '../backend.js';
import type { RowSource } from '../input/matrix.js';
import type { Kernel } from '../kernel.js';
import { inBlocks, type Steps, within } from '../steps.js';
import type { Build } from './build.js';
import { type Core, coreOf } from './core.js';
import { WasmPoints } from './points.js';
import { chooseSearch, costsOf, type Effort, PROBES, planSearch, shareOf } from './search/plan.js';
import { searchBlock } from './search/search.js';

/** Share of the time to store points that is spent on copying them. */
const COPYING = 0.2;

/** The backend of one build. Throws where the runtime refuses to compile. */
export function wasmBackend(build: Build): Backend {
  const core = coreOf(build);
  return {
    name: `wasm-${build}`,
    hold: (rows, precision, kernel, plan) => hold(core, rows, precision, kernel, plan),
    holdImage: (image) => WasmPoints.ofImage(core, image),
  };
}

function* hold(
  core: Core,
  rows: RowSource,
  precision: Precision,
  kernel: Kernel,
  { kind, epsilon = 0, begun }: SearchPlan = {},
): Steps<PointSet> {
  const share = shareOf(epsilon, kernel);
  const effort: Effort = (sample, tree) => effortOf(core, sample, precision, kernel, tree);
  const plan =
    kind === undefined
      ? yield* chooseSearch(rows, kernel, share, effort)
      : yield* planSearch(rows, kernel, kind, share);
  const { rows: count, columns } = rows;
  const done = begun?.(costsOf(plan, count, columns)) ?? 0;
  const points = new WasmPoints(core, { count, columns, precision, kernel, tree: plan });
  try {
    yield* inBlocks(count, columns, (from, to) => points.fill(rows, from, to), [0, COPYING * done]);
    yield* within(points.preparePanels(), COPYING * done, done);
    return points;
  } catch (error) {
    points.release();
    throw error;
  }
}

/** The average cost of a query in a tree of some rows. */
function effortOf(core: Core, rows: RowSource, precision: Precision, kernel: Kernel, tree: TreePlan): number {
  const { rows: count, columns } = rows;
  const points = new WasmPoints(core, { count, columns, precision, kernel, tree });
  try {
    points.fill(rows, 0, rows.rows);
    points.prepare(Math.min(10, count - 1), 1);
    const probes = Math.min(PROBES, count);
    let effort = 0;
    for (let probe = 0; probe < probes; probe++) {
      searchBlock(points, PLACES, Math.floor(((probe + 0.5) * count) / probes), 1);
      effort += core.searchCall.real('effort');
    }
    return effort / probes;
  } finally {
    points.release();
  }
}
