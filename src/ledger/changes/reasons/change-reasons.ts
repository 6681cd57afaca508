/** Reasons why a transaction changes, in the order in which the feed shows them. */
export const TRANSACTION_REASONS = [
  'sold',
  'settled',
  'refunded',
  'refund_changed',
  'charged_back',
  'corrected',
  'commission_changed',
] as const;
export type TransactionReason = (typeof TRANSACTION_REASONS)[number];

/** Reasons why a subscription changes, in the order in which the feed shows them. */
export const PAYMENT_REASONS = ['started', 'paid', 'canceled', 'ended', 'changed'] as const;
export type PaymentReason = (typeof PAYMENT_REASONS)[number];

export const CHANGE_REASONS = [...TRANSACTION_REASONS, ...PAYMENT_REASONS] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];

export const PAYMENT_KIND = 'recurring_payment';

/** Kinds of records whose changes have reasons, with their reasons. */
const REASONS_OF_KINDS: Readonly<Record<string, readonly ChangeReason[]>> = {
  transaction: TRANSACTION_REASONS,
  [PAYMENT_KIND]: PAYMENT_REASONS,
};

/** The sequence of the latest change of a record for each reason. */
export type NotedReasons = ReadonlyMap<ChangeReason, number>;

/** Returns true if records of a kind change for one of these reasons. */
export function hasReasons(kind: string, reasons: readonly string[]): boolean {
  return REASONS_OF_KINDS[kind]?.some((reason) => reasons.includes(reason)) ?? false;
}

/**
 * Reads stored reasons, such as `sold:12,refunded:40`.
 * @param sequence sequence of the latest change of the record
 * @param other reason of a change that a former version of the service has written without one
 * @param end reason of the present state, which that change has if it is not stored
 */
export function readReasons(
  text: string,
  sequence: number,
  other: ChangeReason,
  end: ChangeReason | null = null,
): NotedReasons {
  const noted = new Map<ChangeReason, number>();
  for (const part of text.split(',')) {
    const [word, at] = part.split(':');
    const reason = CHANGE_REASONS.find((known) => known === word);
    if (reason !== undefined) noted.set(reason, Number(at));
  }
  if (Math.max(0, ...noted.values()) < sequence) {
    noted.set(other, sequence);
    if (end !== null && !noted.has(end)) noted.set(end, sequence);
  }
  return noted;
}

/** Returns reasons that all have the same sequence. */
export function reasonsAt(sequence: number, reasons: readonly ChangeReason[]): NotedReasons {
  return new Map(reasons.map((reason) => [reason, sequence]));
}

/**
 * Returns the stored reasons of a subscription. Without a stored text, it has only started.
 * @param sequence sequence of its latest change
 */
export function paymentReasons(text: string | null, sequence: number): NotedReasons {
  return text === null ? reasonsAt(sequence, ['started']) : readReasons(text, sequence, 'changed');
}

/** Returns the text that is stored of earlier reasons and those of a new change. */
export function reasonsText(earlier: NotedReasons, latest: NotedReasons): string {
  const noted = [...new Map([...earlier, ...latest])];
  return noted.map(([reason, sequence]) => `${reason}:${sequence}`).join(',');
}

/** Returns the reasons of changes after a sequence, in the order in which the feed shows them. */
export function reasonsSince(noted: NotedReasons, after: number): ChangeReason[] {
  return CHANGE_REASONS.filter((reason) => (noted.get(reason) ?? 0) > after);
}
