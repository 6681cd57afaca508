import type { Row } from '../ledger/access-row.js';
import type { TestService } from '../service/test-service.js';
import { accessProblems } from './access.js';
import { CheckedService } from './checked-service.js';
import { erasedProblems } from './erased.js';
import { hostileProblems } from './hostile.js';
import { maskedProblems } from './masked.js';
import { throwAll } from './problems.js';
import { statementProblems, type StatementOptions } from './statements.js';

/**
 * Runs all checks, one after the other: checkAccess, checkStatements, checkMasked,
 * checkHostileValues and checkErased.
 * @throws Error that lists all problems
 */
export async function checkAll(
  service: TestService,
  rows: readonly Row[],
  options: StatementOptions = {},
): Promise<void> {
  const checks = [
    accessProblems,
    (checked: CheckedService) => statementProblems(checked, options),
    maskedProblems,
    hostileProblems,
    erasedProblems,
  ];
  const problems: string[] = [];
  for (const problemsOf of checks) {
    // Each check begins with filled tables.
    problems.push(...(await problemsOf(await CheckedService.of(service, rows, options))));
  }
  throwAll('checkAll', problems);
}
