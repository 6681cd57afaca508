import { ReportSums1764300000000 } from '../../../src/database/migrations/1764300000000-report-sums.js';
import { RefundCohorts1766000000000 } from '../../../src/database/migrations/1766000000000-refund-cohorts.js';
import { UnpaidCommissions1766100000000 } from '../../../src/database/migrations/1766100000000-unpaid-commissions.js';
import { runMigration } from './run-migration.js';

/** Fills the kept sums of reports from the ledger, as a start with pending migrations does. */
export async function fillReportSums(url: string): Promise<void> {
  await runMigration(url, new ReportSums1764300000000());
  await runMigration(url, new RefundCohorts1766000000000());
}

/** Fills the kept sums of unpaid commissions from the ledger. */
export function fillUnpaidCommissions(url: string): Promise<void> {
  return runMigration(url, new UnpaidCommissions1766100000000());
}
