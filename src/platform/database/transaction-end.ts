/**
 * States how a transaction ended that was not rolled back: `unknown` if its commit got no response.
 */
export type Outcome = 'committed' | 'unknown';

/** Calls the listeners of one attempt of a transaction. */
export class TransactionEnd {
  private readonly effects: ((outcome: Outcome) => void)[] = [];

  readonly onEnd = (effect: (outcome: Outcome) => void): void => {
    this.effects.push(effect);
  };

  notify(outcome: Outcome): void {
    for (const effect of this.effects) effect(outcome);
  }
}
