import { TRANSACTION_ID } from '../../../ledger-format/transaction.record.js';

/** Notifications of some services leave it out, or name the payment of an agreement by its number. */
const PREFIXES = ['AP-', 'PA-'] as const;
const REBILL = /-B\d{1,9}$/i;

/** The ids that a sale may have at the upstream, likeliest first. @param id as it was notified */
export function notifiedNames(id: string): string[] {
  const names = [id, id.replace(REBILL, '')].flatMap((name) =>
    PREFIXES.some((prefix) => name.startsWith(prefix))
      ? [name]
      : [name, ...PREFIXES.map((prefix) => `${prefix}${name}`)],
  );
  return [...new Set(names)].filter((name) => TRANSACTION_ID.test(name));
}
