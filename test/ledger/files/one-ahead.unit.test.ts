import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { oneAhead } from '../../../src/modules/records-in/batches/record-batches.js';

async function* failingAfter(items: readonly number[], begun: number[]): AsyncGenerator<number> {
  for (const item of items) {
    begun.push(item);
    yield await Promise.resolve(item);
  }
  throw new Error('no more');
}

describe('oneAhead', () => {
  it('starts the next item before the current one is done, but no more', async () => {
    const begun: number[] = [];
    for await (const item of oneAhead(failingAfter([1, 2, 3, 4], begun))) {
      await Promise.resolve();
      expect(begun.at(-1)).toBe(item + 1);
      if (item === 3) break;
    }
  });

  it('reports an error after the items before it', async () => {
    const taken: number[] = [];
    const all = async () => {
      for await (const item of oneAhead(failingAfter([1, 2], []))) {
        await turn();
        taken.push(item);
      }
    };
    await expect(all()).rejects.toThrow('no more');
    expect(taken).toEqual([1, 2]);
  });

  it('ends without waiting for an item that never comes', async () => {
    async function* stuck(): AsyncGenerator<number> {
      yield 1;
      await new Promise(() => undefined);
    }
    for await (const item of oneAhead(stuck())) {
      expect(item).toBe(1);
      break;
    }
  });
});
