/** More than anybody reads; a wrong column of a file is wrong in every line. */
const MOST_SHOWN = 100;

/** Problems or warnings of lines: the first of them one by one, the rest as a count. */
export class ProblemLines {
  private count = 0;

  constructor(
    private readonly kind: 'problems' | 'warnings',
    private readonly print: (line: string) => void,
  ) {}

  readonly tell = (line: number, what: string): void => {
    this.count += 1;
    if (this.count > MOST_SHOWN) return;
    this.print(`line ${line}: ${this.kind === 'warnings' ? 'warning: ' : ''}${what}`);
  };

  /** For the end: says how many were not shown. */
  tellRest(): void {
    const rest = this.count - MOST_SHOWN;
    if (rest > 0) this.print(`and ${rest.toLocaleString('en')} more ${this.kind}`);
  }
}
