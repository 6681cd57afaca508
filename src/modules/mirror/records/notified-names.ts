import { TRANSACTION_ID } from '../../../ledger-format/transaction.record.js';

/** Some services omit the prefix in notifications, or add the number of a rebill to the id. */
const PREFIXES = ['AP-', 'PA-'] as const;
const REBILL = /-B\d{1,9}$/i;

/**
 * Returns the ids that a sale may have at the upstream, the likeliest first.
 * @param id the id in the notification
 */
export function notifiedNames(id: string): string[] {
  const names = [id, id.replace(REBILL, '')].flatMap((name) =>
    PREFIXES.some((prefix) => name.startsWith(prefix))
      ? [name]
      : [name, ...PREFIXES.map((prefix) => `${prefix}${name}`)],
  );
  return [...new Set(names)].filter((name) => TRANSACTION_ID.test(name));
}
