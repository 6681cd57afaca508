import type { CancelOutcome } from './payment-processor.js';

/** Who asked for a cancel. */
export interface CancelAsker {
  readonly user_id: number;
  readonly application_id: number;
}

/** A cancel that is under way. Moments in UTC. */
export interface OpenCancel extends CancelAsker {
  readonly pre_key: string;
  /** Who is telling the processor of it, until `ends` at the most. */
  readonly claim: string;
  readonly ends: string;
  /** The same for every try, whoever makes it. */
  readonly idempotency_key: string;
  /** When it was asked for. */
  readonly asked: string;
  /** How often the processor was told, after which nobody knew what became of it. */
  readonly tries: number;
  /** When it is told again; null until its first outcome. */
  readonly next_try: string | null;
}

/** The right to tell the processor of a cancel. */
export interface CancelTurn {
  readonly pre_key: string;
  readonly claim: string;
  readonly idempotency_key: string;
  /** False where somebody told the processor before, and what became of that is unknown. */
  readonly isFirst: boolean;
}

/** How many cancels wait for the processor's word, and since when the oldest does. */
export interface WaitingCancels {
  readonly count: number;
  readonly oldest: string | null;
}

/** How the tries of a cancel ended, all of them taken together. */
export function endOf(isFirst: boolean, outcomes: readonly CancelOutcome[]): CancelOutcome {
  const last = outcomes.at(-1);
  if (last === 'taken' || last === 'refused') return last;
  return isFirst && !outcomes.includes('unknown') ? 'no_effect' : 'unknown';
}
