// The current model of a detector. Asynchronous calls lease it: a model replaced by another fit stays in memory until the
// last call that uses it is done.

interface Owner<State> {
  /** Frees the memory of a model; called once per model. */
  release(state: State): void;
}

export class CurrentModel<State> {
  readonly #owner: Owner<State>;
  readonly #leases = new Map<State, number>();
  #state: State | undefined;
  #isDisposed = false;

  constructor(owner: Owner<State>) {
    this.#owner = owner;
  }

  get state(): State | undefined {
    return this.#state;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  replace(state: State): void {
    const before = this.#state;
    this.#state = state;
    if (before !== undefined && !this.#leases.has(before)) this.#owner.release(before);
  }

  /** Runs a call and keeps the model meanwhile, unless the detector is disposed. */
  async lease<Result>(state: State, call: () => Promise<Result>): Promise<Result> {
    this.#leases.set(state, (this.#leases.get(state) ?? 0) + 1);
    try {
      return await call();
    } finally {
      this.#endLease(state);
    }
  }

  /** Releases the model at once, even if calls lease it. */
  dispose(): void {
    const states = new Set(this.#leases.keys());
    if (this.#state !== undefined) states.add(this.#state);
    this.#leases.clear();
    this.#state = undefined;
    this.#isDisposed = true;
    for (const state of states) this.#owner.release(state);
  }

  #endLease(state: State): void {
    if (this.#isDisposed) return;
    const others = (this.#leases.get(state) as number) - 1;
    if (others > 0) {
      this.#leases.set(state, others);
      return;
    }
    this.#leases.delete(state);
    if (state !== this.#state) this.#owner.release(state);
  }
}
