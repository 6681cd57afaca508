import type { MigrationInterface } from 'typeorm';
import { readDatabaseUrl } from '../../../src/config/settings/database-url.js';
import { createDataSource } from '../../../src/database/data-source.js';
import { ReportSums1764300000000 } from '../../../src/database/migrations/1764300000000-report-sums.js';
import { RefundCohorts1766000000000 } from '../../../src/database/migrations/1766000000000-refund-cohorts.js';

import { UnpaidCommissions1766100000000 } from '../../../src/database/migrations/1766100000000-unpaid-commissions.js';

/** Fills the kept sums of reports from the ledger, as a start does that finds the migrations pending. */
export async function fillReportSums(url: string): Promise<void> {
  await fillBy(new ReportSums1764300000000(), url);
  await fillBy(new RefundCohorts1766000000000(), url);
}

/** The same for unpaid commissions. */
export function fillUnpaidCommissions(url: string): Promise<void> {
  return fillBy(new UnpaidCommissions1766100000000(), url);
}

async function fillBy(migration: MigrationInterface, url: string): Promise<void> {
  const source = createDataSource(readDatabaseUrl(url), { entities: [], migrations: [] });
  await source.initialize();
  const runner = source.createQueryRunner();
  await migration.up(runner);
  await runner.release();
  await source.destroy();
}
