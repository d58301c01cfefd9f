// A record in the WebAssembly memory: an @unmanaged class of assembly/, with the fields and offsets that the build
// reads from there (contract.ts).
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

export class MemoryRecord<L extends RecordLayout> {
  readonly address: number;
  readonly #arena: Arena;
  readonly #layout: L;
  readonly #reals: ReadonlyArray<Real<L>>;
  readonly #words: ReadonlyArray<Word<L>>;

  constructor(arena: Arena, layout: L, address: number) {
    this.#arena = arena;
    this.#layout = layout;
    this.address = address;
    this.#reals = Object.keys(layout.reals);
    this.#words = Object.keys(layout.words);
  }

  /** Writes all fields. Records hold their f64 fields first, and nothing lies between two fields. */
  write(fields: Readonly<Fields<L>>): void {
    const { reals, words } = this.#arena;
    const [realNames, wordNames] = [this.#reals, this.#words];
    const firstReal = this.address / 8;
    const firstWord = this.address / 4 + 2 * realNames.length;
    for (let i = 0; i < realNames.length; i++) reals[firstReal + i] = fields[realNames[i] as Real<L>];
    for (let i = 0; i < wordNames.length; i++) words[firstWord + i] = fields[wordNames[i] as Word<L>];
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
