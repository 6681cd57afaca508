import { shownValue } from '../common/shown-text.js';
import { Faults } from './faults.js';
import {
  fittedText,
  LINES_TEXT,
  TEXT,
  textProblem,
  TRACKING_TEXT,
  type TextRule,
} from './text-rule.js';
import {
  DELIVERY_COLUMNS,
  TRACKING_FIELDS,
  type DeliveryColumn,
  type TrackingField,
} from './transaction-fields.js';
import type { PayoutItemRecord, TransactionRecord } from './transaction.record.js';

type TextField =
  | 'product_name'
  | 'customer_first_name'
  | 'customer_last_name'
  | 'customer_ip'
  | 'customer_phone'
  | TrackingField
  | DeliveryColumn;

interface FreeText {
  readonly field: TextField;
  /** Name of the field in a ledger file. */
  readonly path: string;
  readonly rule: TextRule;
}

const FREE_TEXTS: readonly FreeText[] = [
  { field: 'product_name', path: 'product_name', rule: TEXT },
  { field: 'customer_first_name', path: 'customer.first_name', rule: TEXT },
  { field: 'customer_last_name', path: 'customer.last_name', rule: TEXT },
  { field: 'customer_ip', path: 'customer.ip', rule: TEXT },
  { field: 'customer_phone', path: 'customer.phone', rule: TEXT },
  ...TRACKING_FIELDS.map((field) => {
    const rule = field === 'other_params' ? LINES_TEXT : TRACKING_TEXT;
    return { field, path: `tracking.${field}`, rule };
  }),
  ...DELIVERY_COLUMNS.map((field) => {
    return { field, path: `delivery.${field.slice('delivery_'.length)}`, rule: TEXT };
  }),
];
const ITEM_TEXTS = ['payee_name', 'payout_type', 'payment_processor', 'payout_status'] as const;

export interface FittedTransaction {
  readonly record: TransactionRecord;
  /** The changes, as `field: change`: at most 10, then the number of the others. */
  readonly warnings: readonly string[];
}

/**
 * Makes the texts of a transaction comply with their rules, so that none of them causes its
 * rejection (docs/ledger-file.md#texts-that-break-the-rule). It cleans and cuts free texts. It
 * removes an e-mail address instead, because a changed address would be wrong. Texts that equal the
 * stored ones stay as they are. Ids are never changed: see `preKeyProblem`.
 */
export function fittedTransaction(
  record: TransactionRecord,
  stored: TransactionRecord | undefined,
): FittedTransaction {
  const changes = new Faults('change');
  const texts: Partial<Record<TextField, string>> = {};
  for (const { field, path, rule } of FREE_TEXTS) {
    const text = record[field];
    if (text === null || text === stored?.[field] || textProblem(text, rule) === null) continue;
    texts[field] = fitted(text, rule, path, changes);
  }
  const emails = fittedEmails(record, stored, changes);
  const payout_items = fittedItems(record, stored, changes);
  const warnings = changes.texts();
  if (warnings.length === 0) return { record, warnings };
  return { record: { ...record, ...texts, ...emails, payout_items }, warnings };
}

/**
 * Returns the reason why the `pre_key` of a transaction is rejected, or null. A `pre_key` is an id,
 * so it is never changed to comply with the rule.
 */
export function preKeyProblem(
  { pre_key }: TransactionRecord,
  stored: TransactionRecord | undefined,
): string | null {
  if (pre_key === null || pre_key === stored?.pre_key) return null;
  const problem = textProblem(pre_key, TEXT);
  return problem === null ? null : `pre_key: must be ${problem}, not ${shownValue(pre_key)}`;
}

type Emails = Pick<TransactionRecord, 'customer_email' | 'customer_processor_email'>;

function fittedEmails(record: Emails, stored: Emails | undefined, changes: Faults): Emails {
  const isUsable = (field: keyof Emails) => {
    const email = record[field];
    if (email === null || email === stored?.[field]) return true;
    const problem = textProblem(email, TEXT);
    if (problem === null) return true;
    const path = `customer.${field.slice('customer_'.length)}`;
    changes.add(() => `${path}: left empty, because it must be ${problem}`);
    return false;
  };
  return {
    customer_email: isUsable('customer_email') ? record.customer_email : '',
    customer_processor_email: isUsable('customer_processor_email')
      ? record.customer_processor_email
      : null,
  };
}

function fittedItems(
  { payout_items }: TransactionRecord,
  stored: TransactionRecord | undefined,
  changes: Faults,
): PayoutItemRecord[] {
  return payout_items.map((item, index) => {
    const texts: Partial<Record<(typeof ITEM_TEXTS)[number], string>> = {};
    for (const field of ITEM_TEXTS) {
      const text = item[field];
      const isStored = text === stored?.payout_items[index]?.[field];
      if (isStored || textProblem(text, TEXT) === null) continue;
      texts[field] = fitted(text, TEXT, `payout_items[${index}].${field}`, changes);
    }
    return { ...item, ...texts };
  });
}

function fitted(text: string, rule: TextRule, path: string, changes: Faults): string {
  const found = fittedText(text, rule);
  changes.add(() => `${path}: ${found.changes.join(', ')}`);
  return found.text;
}
