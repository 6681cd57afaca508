import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from './migrate.mjs';

/**
 * Creates the file that test/support/sql/test-database.ts copies. It is deleted with the folder of
 * the run.
 */
export default function makeTemplate() {
  const file = join(mkdtempSync(join(tmpdir(), 'vendor-reporting-template-')), 'ledger.sqlite');
  migrate(`sqlite:${file}`);
  process.env.TEST_TEMPLATE_SQLITE = file;
}
