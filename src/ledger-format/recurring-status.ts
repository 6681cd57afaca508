const WORD = /^(?:ACTIVE|CANCELED|COMPLETED)$/i;

/** The statuses of a recurring payment that the service acts on. `OTHER` is any word besides the three. */
export const RECURRING_STATUSES = ['ACTIVE', 'CANCELED', 'COMPLETED', 'OTHER'] as const;
export type RecurringStatus = (typeof RECURRING_STATUSES)[number];

/** Recognises the word that a ledger has for a status, whatever its letter case and the spaces around it. */
export function recurringStatusOf(word: string): RecurringStatus {
  const trimmed = word.trim();
  if (!WORD.test(trimmed)) return 'OTHER';
  const upper = trimmed.toUpperCase();
  return RECURRING_STATUSES.find((status) => status === upper) ?? 'OTHER';
}

/** How a payment with this word has ended. Null if it has not, so that it can be canceled. */
export function endOf(word: string): 'CANCELED' | 'COMPLETED' | null {
  const status = recurringStatusOf(word);
  return status === 'CANCELED' || status === 'COMPLETED' ? status : null;
}
