import { Injectable } from '@nestjs/common';
import { Database } from '../../../../database/database.js';
import type { Dialect } from '../../../../database/dialect.js';
import { AFFILIATE_SUMS, type AffiliateSum } from '../affiliate-sales/affiliate-sales.model.js';
import { IS_REFUND } from '../counted-as.model.js';
import { comparison, differencesOf, type Check, type CheckRow } from './ledger-check.js';
import { cohortChecks } from './cohort-checks.js';
import { RECURRING_CHECKS } from './recurring-checks.js';
import { reportSumsChecks } from './report-sums-checks.js';
import { UNPAID_CHECKS } from './unpaid-commissions-checks.js';
import { sequenceChecks } from './sequence-checks.js';
import type { Difference } from '../../transaction.model.js';

const COMMISSION = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/** Computes each kept sum as an aggregate of the ledger. */
const AFFILIATE_SUM_OF_LEDGER: Readonly<Record<AffiliateSum, string>> = {
  sales: 'COUNT(*)',
  refunds: `SUM(CASE WHEN ${IS_REFUND} THEN 1 ELSE 0 END)`,
  chargebacks: "SUM(CASE WHEN status = 'charged_back' THEN 1 ELSE 0 END)",
  revenue: 'SUM(amount)',
  refund_amount: 'SUM(COALESCE(refund_amount, 0))',
  commission_earned: `SUM(${COMMISSION})`,
  commission_paid: `SUM(CASE WHEN affiliate_commission_status = 'PAID' THEN ${COMMISSION} ELSE 0 END)`,
};

const CHECKS: readonly Check[] = [
  comparison({
    figures: ['sales'],
    of: 'vendor, sale day',
    key: ['vendor_id', 'sale_day'],
    kept: 'SELECT vendor_id, sale_day, sales FROM sale_counts',
    actual: `SELECT vendor_id, DATE(sale_date), COUNT(*) FROM transactions
      GROUP BY vendor_id, DATE(sale_date)`,
  }),
  comparison({
    figures: ['refunds'],
    of: 'vendor, refund day, sale day',
    key: ['vendor_id', 'refund_day', 'sale_day'],
    kept: 'SELECT vendor_id, refund_day, sale_day, refunds FROM refund_counts',
    actual: `SELECT vendor_id, DATE(refund_date), DATE(sale_date), COUNT(*) FROM transactions
      WHERE refund_date IS NOT NULL GROUP BY vendor_id, DATE(refund_date), DATE(sale_date)`,
  }),
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
  comparison({
    figures: AFFILIATE_SUMS,
    of: 'affiliate, product',
    key: ['affiliate_id', 'product_id'],
    kept: `SELECT affiliate_id, product_id, ${AFFILIATE_SUMS.join(', ')} FROM affiliate_sales`,
    actual: `SELECT affiliate_id, product_id,
        ${AFFILIATE_SUMS.map((sum) => AFFILIATE_SUM_OF_LEDGER[sum]).join(', ')}
      FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
      GROUP BY affiliate_id, product_id`,
  }),
  ...UNPAID_CHECKS,
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

/**
 * Recomputes everything that is derived from the ledger, for all vendors. Only `verify` calls it.
 * The SQL is hand-written, so that the database compares whole tables and returns only the rows
 * that differ.
 */
@Injectable()
export class LedgerVerificationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns all differences. Each check is one statement, so it reads one snapshot even during an
   * import.
   */
  async differences(): Promise<Difference[]> {
    const { dialect } = this.database;
    const found: Difference[] = [];
    const checks = [
      ...CHECKS,
      lateRefunds(dialect),
      ...reportSumsChecks(dialect),
      ...cohortChecks(dialect),
      ...sequenceChecks(dialect),
      ...RECURRING_CHECKS,
    ];
    for (const check of checks) {
      const rows = await this.database.select<CheckRow>(check.sql, []);
      found.push(...rows.flatMap((row) => differencesOf(check, row)));
    }
    return found;
  }
}
