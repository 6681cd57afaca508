const WORD = /^(?:ACTIVE|CANCELED|COMPLETED)$/i;

/**
 * Lists the statuses of a subscription that the service distinguishes. `OTHER` stands for any other
 * word.
 */
export const RECURRING_STATUSES = ['ACTIVE', 'CANCELED', 'COMPLETED', 'OTHER'] as const;
export type RecurringStatus = (typeof RECURRING_STATUSES)[number];

/**
 * Returns the status for the word of a ledger record. It ignores letter case and surrounding
 * spaces.
 */
export function recurringStatusOf(word: string): RecurringStatus {
  const trimmed = word.trim();
  if (!WORD.test(trimmed)) return 'OTHER';
  const upper = trimmed.toUpperCase();
  return RECURRING_STATUSES.find((status) => status === upper) ?? 'OTHER';
}

/**
 * Returns how a subscription with this status word has ended, or null if it has not ended, so that
 * it can be canceled.
 */
export function endOf(word: string): 'CANCELED' | 'COMPLETED' | null {
  const status = recurringStatusOf(word);
  return status === 'CANCELED' || status === 'COMPLETED' ? status : null;
}
