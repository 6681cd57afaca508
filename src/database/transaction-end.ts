/** How a transaction ended that was not undone; `unknown` where the database was lost at its commit. */
export type Outcome = 'committed' | 'unknown';

/** What waits for the end of one transaction. One that is begun anew begins with an empty one. */
export class TransactionEnd {
  private readonly waiting: ((outcome: Outcome) => void)[] = [];

  readonly onEnd = (effect: (outcome: Outcome) => void): void => {
    this.waiting.push(effect);
  };

  tell(outcome: Outcome): void {
    for (const effect of this.waiting) effect(outcome);
  }
}
