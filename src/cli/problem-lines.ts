import type { ImportProgress } from './import-progress.js';

/**
 * Maximum number of problems that are shown, because a wrong column of a file causes a problem in
 * every line.
 */
const MAX_SHOWN = 100;

/** Reports problems or warnings by line: the first ones in full, the rest as a count. */
export class ProblemLines {
  private count = 0;

  constructor(
    private readonly kind: 'problems' | 'warnings',
    private readonly output: Pick<ImportProgress, 'print'>,
  ) {}

  readonly report = (line: number, what: string): void => {
    this.count += 1;
    if (this.count > MAX_SHOWN) return;
    this.output.print(`line ${line}: ${this.kind === 'warnings' ? 'warning: ' : ''}${what}`);
  };

  reportRest(): void {
    const rest = this.count - MAX_SHOWN;
    if (rest > 0) this.output.print(`and ${rest.toLocaleString('en')} more ${this.kind}`);
  }
}
