// Yields to the event loop as briefly as possible in every runtime: timers would take four milliseconds in browsers.

type Immediate = (callback: () => void) => unknown;

/** Resolves after pending events were handled. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const immediate = (globalThis as { setImmediate?: Immediate }).setImmediate;
    if (immediate !== undefined) immediate(resolve);
    else if (typeof MessageChannel === 'function') throughChannel(resolve);
    else setTimeout(resolve, 0);
  });
}

function throughChannel(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(undefined);
}
