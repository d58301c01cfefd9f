// A record in the WebAssembly memory: an @unmanaged class of assembly/, with its fields and offsets from contract.ts.
import type { Arena } from './arena.js';

/** Offsets of the fields in bytes: f64, and 32-bit integers or addresses. */
export interface RecordLayout {
  readonly size: number;
  readonly reals: Readonly<Record<string, number>>;
  readonly words: Readonly<Record<string, number>>;
}

type Real<L extends RecordLayout> = keyof L['reals'] & string;
type Word<L extends RecordLayout> = keyof L['words'] & string;

/** A value for every field of a record. */
export type Fields<L extends RecordLayout> = Record<Real<L> | Word<L>, number>;

/** All fields of a record, in its order, each 0. */
export function noFields<L extends RecordLayout>({ reals, words }: L): Fields<L> {
  const names = [...Object.keys(reals), ...Object.keys(words)];
  return Object.fromEntries(names.map((name) => [name, 0])) as Fields<L>;
}

export class MemoryRecord<L extends RecordLayout> {
  readonly address: number;
  readonly #arena: Arena;
  readonly #layout: L;
  /** Names of all fields in the order of the record: f64 fields first, without padding. */
  readonly #names: readonly string[];
  readonly #realCount: number;

  constructor(arena: Arena, layout: L, address: number) {
    this.#arena = arena;
    this.#layout = layout;
    this.address = address;
    this.#names = Object.keys(noFields(layout));
    this.#realCount = Object.keys(layout.reals).length;
  }

  /**
   * Writes all fields. As long as they come in the order of the record, as in copies of `noFields`, they are written without
   * lookups, which takes an eighth of the time.
   */
  write(fields: Readonly<Fields<L>>): void {
    const { reals, words } = this.#arena;
    const names = this.#names;
    const realCount = this.#realCount;
    const firstReal = this.address / 8;
    const firstWord = this.address / 4 + realCount;
    let at = 0;
    for (const name in fields) {
      if (name !== names[at]) break;
      if (at < realCount) reals[firstReal + at] = fields[name] as number;
      else words[firstWord + at] = fields[name] as number;
      at++;
    }
    for (; at < names.length; at++) {
      const value = fields[names[at] as keyof Fields<L>];
      if (at < realCount) reals[firstReal + at] = value;
      else words[firstWord + at] = value;
    }
  }

  real(name: Real<L>): number {
    return this.#arena.reals[this.#realAt(name)] as number;
  }

  setReal(name: Real<L>, value: number): void {
    this.#arena.reals[this.#realAt(name)] = value;
  }

  word(name: Word<L>): number {
    return this.#arena.words[this.#wordAt(name)] as number;
  }

  setWord(name: Word<L>, value: number): void {
    this.#arena.words[this.#wordAt(name)] = value;
  }

  #realAt(name: Real<L>): number {
    return (this.address + (this.#layout.reals[name] as number)) / 8;
  }

  #wordAt(name: Word<L>): number {
    return (this.address + (this.#layout.words[name] as number)) / 4;
  }
}
