// Defers work until the event loop has handled what has already arrived.

/** Calls `work` after pending input was handled. */
export const soon: (work: () => void) => void =
  (globalThis as { setImmediate?: (work: () => void) => void }).setImmediate ?? ((work) => setTimeout(work, 0));
