/** Calls after whatever else has arrived by now was taken in. */
export const soon: (work: () => void) => void =
  (globalThis as { setImmediate?: (work: () => void) => void }).setImmediate ?? ((work) => setTimeout(work, 0));
