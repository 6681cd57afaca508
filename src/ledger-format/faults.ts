/** More of one record than anybody reads; whoever mends these finds the rest. */
const MOST_TOLD = 10;

/** What is wrong with a record: the first faults as text, the rest as a count, so that memory stays bounded. */
export class Faults {
  private readonly told: string[] = [];
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param textOf is asked only where the text is told */
  add(textOf: () => string): void {
    this.count += 1;
    if (this.told.length < MOST_TOLD) this.told.push(textOf());
  }

  /** The faults in the order in which they were found. */
  texts(): string[] {
    const rest = this.count - this.told.length;
    if (rest === 0) return [...this.told];
    return [
      ...this.told,
      `and ${rest.toLocaleString('en')} more ${rest === 1 ? 'fault' : 'faults'}`,
    ];
  }
}
