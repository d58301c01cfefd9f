// The panels of a box tree and the boxes around them (see tree.ts), made of points that are in their order.
import { NONE, PANEL_WIDTH } from './contract';
import { SearchCall } from './search-call';
import { placeAt } from './projection';
import { boxesOf, leastsOf, nodeCount, treeWidth } from './tree';

/** Turns rows into panels from … to − 1: each takes the room of its own rows. Missing points are infinitely far. */
export function packLeaves(call: SearchCall, from: u32, to: u32): void {
  const width = treeWidth(call);
  const bytes = <usize>width * (PANEL_WIDTH * 4);
  for (let panel = from; panel < to; panel++) {
    const at = call.leaves + <usize>panel * bytes;
    memory.copy(call.line, at, bytes);
    const present = min<u32>(PANEL_WIDTH, call.count - panel * PANEL_WIDTH);
    for (let column: u32 = 0; column < width; column++) {
      for (let lane: u32 = 0; lane < PANEL_WIDTH; lane++) {
        const value = lane < present ? load<f32>(call.line + (lane * width + column) * 4) : <f32>Infinity;
        store<f32>(at + (column * PANEL_WIDTH + lane) * 4, value);
      }
    }
  }
}

/** Puts boxes around all panels, and around all that is in a box. */
export function boundNodes(call: SearchCall): void {
  let group: u32 = 0,
    below: u32 = 0;
  for (let level: u32 = 0; ; level++) {
    const nodes = nodeCount(call, level);
    const groups = (nodes + PANEL_WIDTH - 1) / PANEL_WIDTH;
    for (let node: u32 = 0; node < groups * PANEL_WIDTH; node++) {
      const parent = group + node / PANEL_WIDTH,
        lane = node % PANEL_WIDTH;
      if (node >= nodes) boundNothing(call, parent, lane);
      else if (level == 0) boundPanel(call, node, parent, lane);
      else boundGroup(call, below + node, parent, lane);
    }
    if (groups == 1) return;
    below = group;
    group += groups;
  }
}

function boundNothing(call: SearchCall, group: u32, lane: u32): void {
  for (let column: u32 = 0; column < treeWidth(call); column++) {
    const at = boxesOf(call, group) + (column * 32 + lane) * 4;
    store<f32>(at, Infinity);
    store<f32>(at + 64, Infinity);
  }
  store<u32>(leastsOf(call, group) + lane * 4, NONE);
}

function boundPanel(call: SearchCall, panel: u32, group: u32, lane: u32): void {
  const width = treeWidth(call);
  const present = min<u32>(PANEL_WIDTH, call.count - panel * PANEL_WIDTH);
  for (let column: u32 = 0; column < width; column++) {
    const at = call.leaves + (<usize>panel * width + column) * 64;
    bound(at, at, boxesOf(call, group) + (column * 32 + lane) * 4);
  }
  store<u32>(leastsOf(call, group) + lane * 4, leastOf(placeAt(call, panel * PANEL_WIDTH), present));
}

function boundGroup(call: SearchCall, inside: u32, group: u32, lane: u32): void {
  for (let column: u32 = 0; column < treeWidth(call); column++) {
    const at = boxesOf(call, inside) + column * 128;
    bound(at, at + 64, boxesOf(call, group) + (column * 32 + lane) * 4);
  }
  store<u32>(leastsOf(call, group) + lane * 4, leastOf(leastsOf(call, inside), PANEL_WIDTH));
}

/** Bounds 16 ranges by one; those of which the lower end is infinite are not there. */
function bound(lowers: usize, uppers: usize, to: usize): void {
  let lower = f32x4.splat(Infinity),
    upper = f32x4.splat(-Infinity);
  for (let end = lowers + 64; lowers < end; lowers += 16, uppers += 16) {
    const low = v128.load(lowers);
    const isThere = f32x4.ne(low, f32x4.splat(Infinity));
    lower = f32x4.pmin(lower, low);
    upper = f32x4.pmax(upper, v128.bitselect(v128.load(uppers), f32x4.splat(-Infinity), isThere));
  }
  lower = f32x4.pmin(lower, i32x4.shuffle(lower, lower, 2, 3, 0, 1));
  upper = f32x4.pmax(upper, i32x4.shuffle(upper, upper, 2, 3, 0, 1));
  store<f32>(to, min(f32x4.extract_lane(lower, 0), f32x4.extract_lane(lower, 1)));
  store<f32>(to + 64, max(f32x4.extract_lane(upper, 0), f32x4.extract_lane(upper, 1)));
}

function leastOf(at: usize, count: u32): u32 {
  let least = NONE;
  for (let i: u32 = 0; i < count; i++) least = min(least, load<u32>(at + i * 4));
  return least;
}
