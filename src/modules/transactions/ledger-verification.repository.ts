import { Injectable } from '@nestjs/common';
import { Database, type SqlValue } from '../../database/database.js';
import type { Dialect } from '../../database/dialect.js';
import type { AffiliateSum } from './affiliate-sales.model.js';
import type { Difference } from './transaction.model.js';

interface Check {
  readonly figure: string;
  /** Selects the key's columns, then what is kept, then what the ledger says; only what differs. */
  readonly sql: string;
}

const COMMISSION = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/** How the ledger itself says each of the kept sums. */
const AFFILIATE_SUM_OF_LEDGER: Readonly<Record<AffiliateSum, string>> = {
  sales: 'COUNT(*)',
  refunds: "SUM(CASE WHEN status = 'refunded' THEN 1 ELSE 0 END)",
  chargebacks: "SUM(CASE WHEN status = 'charged_back' THEN 1 ELSE 0 END)",
  revenue: 'SUM(amount)',
  refund_amount: 'SUM(COALESCE(refund_amount, 0))',
  commission_earned: `SUM(${COMMISSION})`,
  commission_paid: `SUM(CASE WHEN affiliate_commission_status = 'PAID' THEN ${COMMISSION} ELSE 0 END)`,
};

const CHECKS: readonly Check[] = [
  comparison(
    'sales of vendor, sale day',
    'vendor_id, sale_day',
    'sales AS kept, 0 AS actual FROM sale_counts',
    `SELECT vendor_id, DATE(sale_date), 0, COUNT(*) FROM transactions
       GROUP BY vendor_id, DATE(sale_date)`,
  ),
  comparison(
    'refunds of vendor, refund day, sale day',
    'vendor_id, refund_day, sale_day',
    'refunds AS kept, 0 AS actual FROM refund_counts',
    `SELECT vendor_id, DATE(refund_date), DATE(sale_date), 0, COUNT(*) FROM transactions
       WHERE refund_date IS NOT NULL GROUP BY vendor_id, DATE(refund_date), DATE(sale_date)`,
  ),
  comparison(
    'last arrival',
    'id',
    'last_arrival AS kept, 0 AS actual FROM ledger_arrivals',
    'SELECT 1, 0, COALESCE(MAX(arrival), 0) FROM transactions',
  ),
  {
    figure: 'ledger revisions of vendor',
    sql: `SELECT DISTINCT t.vendor_id, 0, 1 FROM transactions t
      LEFT JOIN ledger_revisions r ON r.vendor_id = t.vendor_id WHERE r.vendor_id IS NULL`,
  },
  {
    figure: 'transactions with a wrong refunded_sale_date of vendor',
    sql: `SELECT vendor_id, COUNT(*), 0 FROM transactions
      WHERE (refund_date IS NULL) <> (refunded_sale_date IS NULL) OR refunded_sale_date <> sale_date
      GROUP BY vendor_id`,
  },
  {
    figure: "transactions of a product of another's of vendor",
    sql: `SELECT t.vendor_id, COUNT(*), 0 FROM transactions t JOIN products p ON p.id = t.product_id
      WHERE p.vendor_id <> t.vendor_id GROUP BY t.vendor_id`,
  },
  ...Object.entries(AFFILIATE_SUM_OF_LEDGER).map(([sum, ofLedger]) =>
    comparison(
      `${sum} of affiliate, product`,
      'affiliate_id, product_id',
      `${sum} AS kept, 0 AS actual FROM affiliate_sales`,
      `SELECT affiliate_id, product_id, 0, ${ofLedger} FROM transactions
         WHERE affiliate_id IS NOT NULL AND status <> 'pending' GROUP BY affiliate_id, product_id`,
    ),
  ),
];

/** Kept is how many refunds may lie beyond the kept bound, which is none. */
function lateRefunds(dialect: Dialect): Check {
  return {
    figure: 'refunds later than longest_refund_days of vendor, refund day, sale day',
    sql: `SELECT c.vendor_id, c.refund_day, c.sale_day, 0, c.refunds FROM refund_counts c
      JOIN ledger_revisions r ON r.vendor_id = c.vendor_id
      WHERE c.refund_day > ${dialect.daysAfter('c.sale_day', 'r.longest_refund_days')}`,
  };
}

/** Recomputes everything that is derived from the ledger. Over all vendors: no request comes here. */
@Injectable()
export class LedgerVerificationRepository {
  constructor(private readonly database: Database) {}

  /** Each check is one statement and so sees one moment, even while a ledger is imported. */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const { figure, sql } of [...CHECKS, lateRefunds(this.database.dialect)]) {
      for (const row of await this.database.rows<SqlValue[]>(sql, [])) {
        const [kept, actual] = row.slice(-2).map(Number);
        found.push({
          figure: `${figure} ${row.slice(0, -2).join(', ')}`,
          kept: kept ?? 0,
          actual: actual ?? 0,
        });
      }
    }
    return found;
  }
}

function comparison(figure: string, key: string, kept: string, actual: string): Check {
  return {
    figure,
    sql: `SELECT ${key}, CAST(SUM(kept) AS SIGNED), CAST(SUM(actual) AS SIGNED)
      FROM (SELECT ${key}, ${kept} UNION ALL ${actual}) figures
      GROUP BY ${key} HAVING SUM(kept) <> SUM(actual)`,
  };
}
