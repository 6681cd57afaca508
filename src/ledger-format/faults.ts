const MAX_TEXTS = 10;

/**
 * Collects the faults of a record. It keeps the texts of the first 10 and counts the others, so
 * that memory is bounded.
 */
export class Faults {
  private readonly first: string[] = [];
  private count = 0;

  /** @param noun singular name of what is counted */
  constructor(private readonly noun = 'fault') {}

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /**
   * Adds a fault.
   * @param textOf called only if the text is kept
   */
  add(textOf: () => string): void {
    this.count += 1;
    if (this.first.length < MAX_TEXTS) this.first.push(textOf());
  }

  /**
   * Returns the texts in the order in which the faults were found, and the number of the others.
   */
  texts(): string[] {
    const rest = this.count - this.first.length;
    const more = `and ${rest.toLocaleString('en')} more ${this.noun}${rest === 1 ? '' : 's'}`;
    return rest === 0 ? [...this.first] : [...this.first, more];
  }
}
