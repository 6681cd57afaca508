import type { StubHook } from '../stub-upstream.js';

/** Holds answers back from the first one on, until they are released. */
export class Held {
  private goOn: () => void = () => undefined;
  private readonly gate = new Promise<void>((resolve) => (this.goOn = resolve));
  /** How many answers are held back, or were. */
  count = 0;

  /** @param path of the requests, with the query */
  constructor(private readonly path: RegExp) {}

  readonly hook: StubHook = async ({ path }, answer) => {
    if (!this.path.test(path)) return answer;
    this.count += 1;
    await this.gate;
    return answer;
  };

  release(): void {
    this.goOn();
  }
}
