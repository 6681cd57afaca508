import type { MigrationInterface, QueryRunner } from 'typeorm';

interface Pair {
  readonly affiliate_id: number;
  readonly product_id: number;
}

/** Makes the statistics of affiliates count partial refunds, as reports do. */
export class PartialRefunds1766800000000 implements MigrationInterface {
  readonly name = 'PartialRefunds1766800000000';

  async up(runner: QueryRunner): Promise<void> {
    await recount(
      runner,
      "status = 'refunded' OR status = 'completed' AND refund_date IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await recount(runner, "status = 'refunded'");
  }
}

/**
 * Counts the refunds again where there is a partial refund. Each statement is correct independently
 * of the others.
 */
async function recount(runner: QueryRunner, isRefund: string): Promise<void> {
  const pairs = (await runner.query(`SELECT DISTINCT affiliate_id, product_id FROM transactions
    WHERE status = 'completed' AND refund_date IS NOT NULL AND affiliate_id IS NOT NULL`)) as Pair[];
  for (const { affiliate_id, product_id } of pairs) {
    const pair = [affiliate_id, product_id];
    await runner.query(
      `UPDATE affiliate_sales SET refunds = (SELECT COUNT(*) FROM transactions
          WHERE affiliate_id = ? AND product_id = ? AND (${isRefund}))
        WHERE affiliate_id = ? AND product_id = ?`,
      [...pair, ...pair],
    );
  }
}
