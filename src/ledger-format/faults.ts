const MAX_TEXTS = 10;

/** The faults of a record: the first ones as text and the rest as a count, so that memory is bounded. */
export class Faults {
  private readonly first: string[] = [];
  private count = 0;

  /** @param noun names one of what is counted */
  constructor(private readonly noun = 'fault') {}

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** @param textOf is called only if the text is used */
  add(textOf: () => string): void {
    this.count += 1;
    if (this.first.length < MAX_TEXTS) this.first.push(textOf());
  }

  /** The faults in the order they were found. */
  texts(): string[] {
    const rest = this.count - this.first.length;
    const more = `and ${rest.toLocaleString('en')} more ${this.noun}${rest === 1 ? '' : 's'}`;
    return rest === 0 ? [...this.first] : [...this.first, more];
  }
}
