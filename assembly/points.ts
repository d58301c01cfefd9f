// Points and queries as rows: what is exact. Points are stored as T (f32 or f64), queries as f64.
import { SearchCall } from './search-call';

/** Where the row of a point is. */
export function pointRow<T>(call: SearchCall, index: u32): usize {
  return call.points + <usize>index * call.columns * sizeof<T>();
}

/** Where the row of a query is. */
export function queryRow(call: SearchCall, query: u32): usize {
  return call.rows + <usize>query * call.columns * sizeof<f64>();
}

/** x·x of a row of T, in column order. */
export function rowSquare<T>(row: usize, columns: u32): f64 {
  let square: f64 = 0;
  for (let column: usize = 0; column < columns; column++) {
    const value = load<T>(row + column * sizeof<T>()) as f64;
    square += value * value;
  }
  return square;
}

/** The same, rounded otherwise: two sums take turns, so that neither has to wait for the other. */
export function looseSquare<T>(row: usize, columns: u32): f64 {
  let even: f64 = 0,
    odd: f64 = 0;
  const end = row + <usize>(columns & ~1) * sizeof<T>();
  for (; row < end; row += 2 * sizeof<T>()) {
    const a = load<T>(row) as f64,
      b = load<T>(row + sizeof<T>()) as f64;
    even += a * a;
    odd += b * b;
  }
  const last = columns & 1 ? (load<T>(row) as f64) : 0;
  return even + odd + last * last;
}

/** Largest magnitude in a row of T. */
export function rowPeak<T>(row: usize, columns: u32): f64 {
  let peak: f64 = 0;
  for (let column: usize = 0; column < columns; column++) {
    peak = max(peak, abs(load<T>(row + column * sizeof<T>()) as f64));
  }
  return peak;
}

/** Makes points first, first + 1, … the queries: each becomes a row that knows its own index. */
export function queryPoints<T>(call: SearchCall, first: u32): void {
  for (let query: u32 = 0; query < call.queries; query++) queryPoint<T>(call, query, first + query);
}

/** The same for points in places from `firstQuery` on. */
export function queryPlaces<T>(call: SearchCall): void {
  const places = call.order + <usize>call.firstQuery * 4;
  for (let query: u32 = 0; query < call.queries; query++) {
    queryPoint<T>(call, query, load<u32>(places + query * 4));
    // Panels know points by their places.
    if (call.panels != 0) store<u32>(call.selves + query * 4, call.firstQuery + query);
  }
}

/** The point in a place: places are those of an order, or points themselves. */
export function pointIn(call: SearchCall, place: u32): u32 {
  return call.order == 0 ? place : load<u32>(call.order + <usize>place * 4);
}

function queryPoint<T>(call: SearchCall, query: u32, index: u32): void {
  const from = pointRow<T>(call, index);
  const to = queryRow(call, query);
  for (let column: usize = 0; column < call.columns; column++) {
    store<f64>(to + column * sizeof<f64>(), load<T>(from + column * sizeof<T>()) as f64);
  }
  store<u32>(call.selves + query * sizeof<u32>(), index);
}
