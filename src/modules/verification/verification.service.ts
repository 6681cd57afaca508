import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import {
  differencesOf,
  type Check,
  type CheckRow,
  type Difference,
  comparison,
} from '../../ledger/sums/kept-sum.js';
import { RECURRING_SUMS, RECURRING_VENDORS } from '../../ledger/sums/recurring-sums.js';
import { RetentionRunService } from '../privacy/index.js';
import { RenderingRepository } from '../../ledger/reads/rendering.repository.js';
import { KEPT_SUMS } from '../../ledger/sums/kept-sums.repository.js';
import { TrackingSumsRepository } from '../../ledger/sums/tracking-sums.repository.js';

/** Returns all checks, in the order in which `verify` prints their differences. */
function checksOf(dialect: Dialect): Check[] {
  return [
    ...[...KEPT_SUMS, RECURRING_SUMS].flatMap((kept) => kept.checks(dialect)),
    ...LEDGER_CHECKS,
    lateRefunds(dialect),
    ...sequenceChecks(dialect),
    RECURRING_VENDORS,
  ];
}

/** Recomputes everything that is derived from the ledger, for all vendors. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly database: Database,
    private readonly tracking: TrackingSumsRepository,
    private readonly rendering: RenderingRepository,
    private readonly retention: RetentionRunService,
  ) {}

  /**
   * Returns all differences; normally there are none. Each check is one statement, so it reads one
   * snapshot even during an import. The database compares whole tables and returns only the rows
   * that differ.
   */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const check of checksOf(this.database.dialect)) {
      const rows = await this.database.select<CheckRow>(check.sql, []);
      found.push(...rows.flatMap((row) => differencesOf(check, row)));
    }
    found.push(...(await this.tracking.differences()));
    found.push(...(await this.rendering.differences()));
    found.push(...(await this.retention.differences()));
    return found;
  }
}

/**
 * Checks the latest arrivals and derived columns, and that each transaction has a ledger and a
 * product of its vendor.
 */
const LEDGER_CHECKS: readonly Check[] = [
  comparison({
    figures: ['last_arrival'],
    of: 'vendor',
    key: ['vendor_id'],
    kept: 'SELECT vendor_id, last_arrival FROM ledger_revisions',
    // The latest transactions of a ledger may have been removed.
    actual: `SELECT vendor_id, MAX(arrival) FROM (
        SELECT vendor_id, MAX(arrival) AS arrival FROM transactions GROUP BY vendor_id
        UNION ALL SELECT vendor_id, last_arrival FROM ledger_revisions WHERE has_removed = 1
      ) arrivals GROUP BY vendor_id`,
  }),
  {
    figures: ['ledger revisions of vendor'],
    key: ['vendor_id'],
    sql: `SELECT DISTINCT t.vendor_id, 0 AS kept_0, 1 AS actual_0 FROM transactions t
      LEFT JOIN ledger_revisions r ON r.vendor_id = t.vendor_id WHERE r.vendor_id IS NULL`,
  },
  {
    figures: ['transactions with a wrong refunded_sale_date of vendor'],
    key: ['vendor_id'],
    sql: `SELECT vendor_id, COUNT(*) AS kept_0, 0 AS actual_0 FROM transactions
      WHERE (refund_date IS NULL) <> (refunded_sale_date IS NULL) OR refunded_sale_date <> sale_date
      GROUP BY vendor_id`,
  },
  {
    figures: ["transactions of a product that is not the vendor's of vendor"],
    key: ['vendor_id'],
    sql: `SELECT t.vendor_id, COUNT(*) AS kept_0, 0 AS actual_0 FROM transactions t
      LEFT JOIN products p ON p.id = t.product_id
      WHERE p.id IS NULL OR p.vendor_id <> t.vendor_id GROUP BY t.vendor_id`,
  },
];

/**
 * Returns a check that finds refunds later than the stored bound. There may be none, so `kept` is
 * 0.
 */
function lateRefunds(dialect: Dialect): Check {
  return {
    figures: ['refunds later than longest_refund_days of vendor, refund day, sale day'],
    key: ['vendor_id', 'refund_day', 'sale_day'],
    sql: `SELECT c.vendor_id, c.refund_day, c.sale_day, 0 AS kept_0, c.refunds AS actual_0
      FROM refund_counts c
      JOIN ledger_revisions r ON r.vendor_id = c.vendor_id
      WHERE c.refund_day > ${dialect.daysAfter('c.sale_day', 'r.longest_refund_days')}`,
  };
}

const SEQUENCES = `SELECT vendor_id, COALESCE(sequence, arrival) AS sequence FROM transactions
  UNION ALL SELECT vendor_id, sequence FROM changed_records`;

/**
 * Returns the checks of sequences. Each record of a ledger has exactly one place in the feed of
 * changes (docs/adr/0027-feed-of-changes.md).
 */
function sequenceChecks(dialect: Dialect): Check[] {
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
