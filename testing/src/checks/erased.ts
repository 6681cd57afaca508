import { methodOf, type Row } from '../ledger/access-row.js';
import { customerOf } from '../ledger/checked-ledger.js';
import type { TestService } from '../service/test-service.js';
import { CheckedService, type CheckOptions } from './checked-service.js';
import { isPersonal } from './masked.js';
import { shown, throwAll } from './problems.js';

/**
 * Erases the customer of a vendor, and checks that no table and no answer has personal data of the
 * customer any longer: neither in declared columns nor elsewhere, such as in the audit log. It
 * comes last: a customer who is erased has no data for other checks.
 * @throws Error that lists all problems
 */
export async function checkErased(
  service: TestService,
  rows: readonly Row[],
  options: CheckOptions = {},
): Promise<void> {
  throwAll('checkErased', await erasedProblems(await CheckedService.of(service, rows, options)));
}

export async function erasedProblems(checked: CheckedService): Promise<string[]> {
  const { service } = checked;
  await service.erase(customerOf('vendor'));
  await service.settled();
  const problems: string[] = [];
  for (const [table, rows] of Object.entries(await service.started.storedRows())) {
    const left = rows.flatMap((row) => Object.entries(row)).filter(([, value]) => isLeft(value));
    const columns = new Set(left.map(([column]) => column));
    for (const column of columns)
      problems.push(`${table}.${column} has data of an erased customer`);
  }
  for (const row of checked.rows.filter((each) => methodOf(each) === 'GET')) {
    for (const { text, unsent } of await checked.askPages(row, 'vendor', 'vendor')) {
      if (!isPersonal(unsent)) continue;
      problems.push(`${row.operation}: shows data of an erased customer: ${shown(text)}`);
    }
  }
  return problems;
}

/** Returns true if a stored value has personal data. */
function isLeft(value: unknown): boolean {
  return isPersonal(value instanceof Uint8Array ? Buffer.from(value).toString() : String(value));
}
