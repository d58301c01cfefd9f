// A record in the WebAssembly memory: f64 fields first, then 32-bit ones, in the order of an @unmanaged class
// of assembly/.
import type { Arena } from './arena.js';

export class MemoryRecord<Real extends string, Integer extends string> {
  readonly #arena: Arena;
  readonly #reals = new Map<Real, number>();
  readonly #integers = new Map<Integer, number>();
  readonly address: number;

  constructor(arena: Arena, address: number, reals: readonly Real[], integers: readonly Integer[]) {
    this.#arena = arena;
    this.address = address;
    for (const [i, name] of reals.entries()) this.#reals.set(name, address / 8 + i);
    const first = address / 4 + 2 * reals.length;
    for (const [i, name] of integers.entries()) this.#integers.set(name, first + i);
  }

  /** Writes some fields. */
  write(reals: Partial<Record<Real, number>>, integers: Partial<Record<Integer, number>>): void {
    for (const [name, value] of Object.entries(reals)) this.setReal(name as Real, value as number);
    for (const [name, value] of Object.entries(integers)) this.setInteger(name as Integer, value as number);
  }

  setReal(name: Real, value: number): void {
    this.#arena.reals[this.#reals.get(name) as number] = value;
  }

  setInteger(name: Integer, value: number): void {
    this.#arena.words[this.#integers.get(name) as number] = value;
  }

  real(name: Real): number {
    return this.#arena.reals[this.#reals.get(name) as number] as number;
  }

  integer(name: Integer): number {
    return this.#arena.words[this.#integers.get(name) as number] as number;
  }
}
