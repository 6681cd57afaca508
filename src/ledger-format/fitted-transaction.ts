import { shownValue } from '../common/shown-text.js';
import { columnsWith, fieldOf, ruleOf, type ColumnName, type ColumnWith } from './columns.js';
import { Faults } from './faults.js';
import { fittedText, TEXT, textProblem, type TextRule } from './text-rule.js';
import {
  PAYOUT_ITEM_TEXTS,
  type PayoutItemRecord,
  type TransactionRecord,
} from './transaction.record.js';

type TextField = ColumnWith<{ kind: 'text' }>;

const FREE_TEXTS = columnsWith({ kind: 'text' }).map((field) => {
  return { field, path: pathOf(field), rule: ruleOf(field).rule ?? TEXT };
});

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

type Emails = Pick<TransactionRecord, ColumnWith<{ kind: 'email' }>>;

function fittedEmails(record: Emails, stored: Emails | undefined, changes: Faults): Emails {
  const isUsable = (field: keyof Emails) => {
    const email = record[field];
    if (email === null || email === stored?.[field]) return true;
    const problem = textProblem(email, TEXT);
    if (problem === null) return true;
    changes.add(() => `${pathOf(field)}: left empty, because it must be ${problem}`);
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
    const texts: Partial<Record<(typeof PAYOUT_ITEM_TEXTS)[number], string>> = {};
    for (const field of PAYOUT_ITEM_TEXTS) {
      const text = item[field];
      const isStored = text === stored?.payout_items[index]?.[field];
      if (isStored || textProblem(text, TEXT) === null) continue;
      texts[field] = fitted(text, TEXT, `payout_items[${index}].${field}`, changes);
    }
    return { ...item, ...texts };
  });
}

/** Returns the name of a column in a ledger file, such as `customer.first_name`. */
function pathOf(column: ColumnName): string {
  const { object } = ruleOf(column);
  return object === undefined ? column : `${object}.${fieldOf(column)}`;
}

function fitted(text: string, rule: TextRule, path: string, changes: Faults): string {
  const found = fittedText(text, rule);
  changes.add(() => `${path}: ${found.changes.join(', ')}`);
  return found.text;
}
