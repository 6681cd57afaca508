import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Jest makes a storage for each test file and never ends it. Until Node 24 each of them is looked after
 * with every promise of the process, so that later files run slower than earlier ones.
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

  /** Ends all that were used since. */
  end() {
    AsyncLocalStorage.prototype.run = this.#run;
    for (const storage of this.#used) storage.disable();
  }
}
