import { setTimeout as wait } from 'node:timers/promises';

/** Servers that listen and processes that run would continue during the tests of other files. */
const KINDS = ['TCPServerWrap', 'PipeServerWrap', 'ProcessWrap'];
/** A resource disappears a moment after it is closed. */
const LOOKS = 100;
const LOOK_MS = 20;

/** Finds resources that a test file opened in its process and did not close. */
export class OpenResources {
  #before = counted();

  /**
   * @param {number} most the largest number of checks
   * @throws Error that names the resources that were opened since and are still open
   */
  async expectClosed(most = LOOKS) {
    for (let looks = 0; this.#left().length > 0; looks += 1) {
      if (looks === most) throw new Error(`The test file leaves open: ${this.#left().join(', ')}`);
      await wait(LOOK_MS);
    }
  }

  #left() {
    const now = counted();
    return KINDS.filter((kind) => now[kind] > this.#before[kind]);
  }
}

function counted() {
  const open = process.getActiveResourcesInfo();
  return Object.fromEntries(
    KINDS.map((kind) => [kind, open.filter((each) => each === kind).length]),
  );
}
