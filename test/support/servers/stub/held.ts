import type { StubHook } from '../stub-upstream.js';

/** Holds back all responses to a path until they are released. */
export class Held {
  private goOn: () => void = () => undefined;
  private readonly gate = new Promise<void>((resolve) => (this.goOn = resolve));
  /** Number of responses that are or were held back. */
  count = 0;

  /** @param path matches the path and query of the requests to hold back */
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
