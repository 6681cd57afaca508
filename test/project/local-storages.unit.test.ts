import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from '@jest/globals';
import { LocalStorages } from '../runtime/local-storages.mjs';

it('ends only the storages that were used since', () => {
  const [before, since] = [new AsyncLocalStorage<string>(), new AsyncLocalStorage<string>()];
  before.run('kept', () => {
    const storages = new LocalStorages();
    since.run('left behind', () => {
      storages.end();
      expect(since.getStore()).toBeUndefined();
    });
    expect(before.getStore()).toBe('kept');
  });
});
