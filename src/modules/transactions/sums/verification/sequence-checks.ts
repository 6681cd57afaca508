import type { Dialect } from '../../../../database/dialect.js';
import type { Check } from './ledger-check.js';

const SEQUENCES = `SELECT vendor_id, COALESCE(sequence, arrival) AS sequence FROM transactions
  UNION ALL SELECT vendor_id, sequence FROM changed_records`;

/**
 * Returns the checks of sequences. Each record of a ledger has exactly one place in the feed of
 * changes (docs/adr/0027-feed-of-changes.md).
 */
export function sequenceChecks(dialect: Dialect): Check[] {
  return [
    {
      figures: ['different sequences of vendor'],
      key: ['vendor_id'],
      sql: `SELECT vendor_id, COUNT(DISTINCT sequence) AS kept_0, COUNT(*) AS actual_0
        FROM (${SEQUENCES}) used GROUP BY vendor_id HAVING COUNT(DISTINCT sequence) <> COUNT(*)`,
    },
    {
      figures: ['last_sequence of vendor'],
      key: ['vendor_id'],
      sql: `SELECT u.vendor_id, MAX(r.last_sequence) AS kept_0, MAX(u.sequence) AS actual_0
        FROM (${SEQUENCES}) u JOIN ledger_revisions r ON r.vendor_id = u.vendor_id
        GROUP BY u.vendor_id HAVING MAX(u.sequence) > MAX(r.last_sequence)`,
    },
    missing('product', 'CAST(p.id AS CHAR)', 'products p'),
    missing(
      'relationship',
      dialect.joined('a.affiliate_id', 'a.product_id'),
      'affiliations a JOIN products p ON p.id = a.product_id',
    ),
    missing(
      'recurring_payment',
      'r.pre_key',
      'recurring_payments r JOIN products p ON p.id = r.product_id',
    ),
    missing(
      'affiliate',
      'CAST(p.affiliate_id AS CHAR)',
      `(SELECT DISTINCT vendor_id, affiliate_id FROM transactions
        WHERE affiliate_id IS NOT NULL) p`,
    ),
  ];
}

/**
 * Returns a check that finds records without a place in the feed of changes.
 * @param from tables that have the vendor as `p.vendor_id`
 */
function missing(kind: string, key: string, from: string): Check {
  return {
    figures: [`changes of kind ${kind} of vendor`],
    key: ['vendor_id'],
    sql: `SELECT p.vendor_id, 0 AS kept_0, COUNT(*) AS actual_0 FROM ${from}
      LEFT JOIN changed_records c
        ON c.vendor_id = p.vendor_id AND c.kind = '${kind}' AND c.record_key = ${key}
      WHERE c.record_key IS NULL GROUP BY p.vendor_id`,
  };
}
