// When the memory of a model is released: once, and not while a call works with it.
import { describe, expect, it } from 'vitest';
import { CurrentModel } from '../../src/detectors/current-model.js';

function watched(): { model: CurrentModel<string>; released: string[] } {
  const released: string[] = [];
  return { model: new CurrentModel({ release: (state) => void released.push(state) }), released };
}

/** A call that ends when it is told to. */
function call(): { run: () => Promise<void>; end: () => void } {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
}

describe('a model', () => {
  it('is released when it is replaced', () => {
    const { model, released } = watched();
    model.replace('first');
    model.replace('second');
    expect([model.state, released]).toEqual(['second', ['first']]);
  });

  it('that calls lease is released after the last of them', async () => {
    const { model, released } = watched();
    model.replace('first');
    const [one, other] = [call(), call()];
    const calls = [model.lease('first', one.run), model.lease('first', other.run)];
    model.replace('second');
    one.end();
    await calls[0];
    expect(released).toEqual([]);
    other.end();
    await calls[1];
    expect(released).toEqual(['first']);
  });

  it('that is still current is kept after a call, also one that fails', async () => {
    const { model, released } = watched();
    model.replace('first');
    await expect(model.lease('first', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect([model.state, released]).toEqual(['first', []]);
  });

  it('is released at once and once when it is disposed during a call', async () => {
    const { model, released } = watched();
    model.replace('first');
    const one = call();
    const leased = model.lease('first', one.run);
    model.replace('second');
    model.dispose();
    expect(released).toEqual(['first', 'second']);
    one.end();
    await leased;
    expect(released).toEqual(['first', 'second']);
    expect([model.state, model.isDisposed]).toEqual([undefined, true]);
  });
});
