import type { CancelOutcome } from './payment-processor.js';

/** Who requested a cancel. */
export interface CancelRequester {
  readonly user_id: number;
  readonly application_id: number;
}

/** A cancel that has no final outcome yet. Date-times are in UTC. */
export interface OpenCancel extends CancelRequester {
  readonly pre_key: string;
  /** Who is sending it to the processor, until `ends` at the latest. */
  readonly claim: string;
  readonly ends: string;
  /** The same for every try. */
  readonly idempotency_key: string;
  /** When it was requested. */
  readonly asked: string;
  /** How many tries ended with an unknown outcome. */
  readonly tries: number;
  /** When it is sent again; null until its first outcome. */
  readonly next_try: string | null;
}

/** The right to send a cancel to the processor. */
export interface CancelTurn {
  readonly pre_key: string;
  readonly claim: string;
  readonly idempotency_key: string;
  /** False if it was sent before, with an unknown outcome. */
  readonly isFirst: boolean;
}

/** How many cancels wait for the processor's answer, and since when the oldest has waited. */
export interface WaitingCancels {
  readonly count: number;
  readonly oldest: string | null;
}

/** The combined outcome of all tries of a cancel. */
export function combinedOutcome(
  isFirst: boolean,
  outcomes: readonly CancelOutcome[],
): CancelOutcome {
  const last = outcomes.at(-1);
  if (last === 'accepted' || last === 'rejected') return last;
  return isFirst && !outcomes.includes('unknown') ? 'no_effect' : 'unknown';
}
