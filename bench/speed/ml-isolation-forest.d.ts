// The package has no types of its own: what the benchmark uses of it.
declare module 'ml-isolation-forest' {
  export class IsolationForest {
    constructor(options?: { nEstimators?: number });
    train(rows: readonly (readonly number[])[]): void;
    predict(rows: readonly (readonly number[])[]): number[];
  }
}
