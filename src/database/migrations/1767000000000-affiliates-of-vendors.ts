import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, isSqlite, type Table } from './create-table.js';

const VENDOR_AFFILIATES: Table = {
  name: 'vendor_affiliates',
  columns: { vendor_id: 'BIGINT NOT NULL', affiliate_id: 'BIGINT NOT NULL' },
  primaryKey: ['vendor_id', 'affiliate_id'],
};

/**
 * Selects the affiliate terms that a vendor set, and that no record of a file or a source has
 * changed since.
 */
const SET_BY_VENDORS = `SELECT DISTINCT subject FROM audit_log
  WHERE action = 'affiliation.set' AND state_before IS NULL
    AND subject NOT IN (SELECT subject FROM audit_log WHERE action = 'affiliation.import')`;

/**
 * Adds the affiliates that records of the operator gave to each vendor. The sender of existing
 * sales, clicks and affiliate terms is unknown, so they count as the operator's, and vendors see
 * the same affiliates as before. Affiliate terms that a vendor itself set give the vendor no
 * affiliate.
 */
export class AffiliatesOfVendors1767000000000 implements MigrationInterface {
  readonly name = 'AffiliatesOfVendors1767000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [VENDOR_AFFILIATES]);
    await runner.query('DELETE FROM vendor_affiliates');
    const ofSales =
      'SELECT vendor_id, affiliate_id FROM transactions WHERE affiliate_id IS NOT NULL';
    const ofClicks = `SELECT products.vendor_id, clicks.affiliate_id FROM daily_clicks clicks
      JOIN products ON products.id = clicks.product_id`;
    const subject = joined(runner, ["'affiliate '", 'affiliate_id', "', product '", 'product_id']);
    const relationships = `SELECT products.vendor_id, affiliations.affiliate_id, ${subject} AS subject
      FROM affiliations JOIN products ON products.id = affiliations.product_id`;
    const ofRelationships = `SELECT named.vendor_id, named.affiliate_id FROM (${relationships}) named
      LEFT JOIN (${SET_BY_VENDORS}) alone ON alone.subject = named.subject WHERE alone.subject IS NULL`;
    await runner.query(`INSERT INTO vendor_affiliates (vendor_id, affiliate_id)
      SELECT vendor_id, affiliate_id FROM (${[ofSales, ofClicks, ofRelationships].join(' UNION ')}) pairs`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE vendor_affiliates');
  }
}

function joined(runner: QueryRunner, parts: readonly string[]): string {
  return isSqlite(runner) ? `(${parts.join(' || ')})` : `CONCAT(${parts.join(', ')})`;
}
