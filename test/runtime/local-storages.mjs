import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Ends the storages of a test file. Jest makes one for each file and never ends it. Before Node 24,
 * every promise of the process updates each of them, so that later files run slower than earlier
 * ones.
 */
export class LocalStorages {
  #used = new Set();
  #run = AsyncLocalStorage.prototype.run;

  constructor() {
    const used = this.#used;
    const run = this.#run;
    AsyncLocalStorage.prototype.run = function (...args) {
      used.add(this);
      return run.apply(this, args);
    };
  }

  /** Ends all storages that were used since. */
  end() {
    AsyncLocalStorage.prototype.run = this.#run;
    for (const storage of this.#used) storage.disable();
  }
}
