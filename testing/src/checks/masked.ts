import { methodOf, type Row } from '../ledger/access-row.js';
import { customerOf, has, personalMark } from '../ledger/checked-ledger.js';
import type { TestService } from '../service/test-service.js';
import { CheckedService, type CheckOptions } from './checked-service.js';
import { throwAll } from './problems.js';

/**
 * Checks that no answer to a masked key has personal data of a customer, from the ledger or from a
 * declared column, and that a full key gets it from the operations whose rows say so. Each declared
 * column must have held personal data.
 * @throws Error that lists all problems
 */
export async function checkMasked(
  service: TestService,
  rows: readonly Row[],
  options: CheckOptions = {},
): Promise<void> {
  throwAll('checkMasked', await maskedProblems(await CheckedService.of(service, rows, options)));
}

export async function maskedProblems(checked: CheckedService): Promise<string[]> {
  const problems = await emptyColumns(checked);
  for (const row of checked.rows.filter((each) => methodOf(each) === 'GET')) {
    const found = await rowProblems(checked, row);
    problems.push(...found.map((problem) => `${row.operation}: ${problem}`));
  }
  return problems;
}

async function rowProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const full = await checked.ask(row, 'vendor', 'full');
  const { personal = false } = row;
  const problems: string[] = [];
  if (isPersonal(full.text) !== personal) {
    problems.push(
      personal
        ? 'shows a full key no personal data, and its row says `personal: true`'
        : 'shows a full key personal data: write `personal: true` into its row',
    );
  }
  if (!row.allows.includes('masked')) return problems;
  // A service that keeps answers must not give one key those of the other.
  for (const who of ['masked', 'full', 'masked'] as const) {
    const { text } = await checked.ask(row, 'vendor', who);
    if (who === 'masked' && isPersonal(text)) problems.push('shows a masked key personal data');
  }
  const { etag } = full.headers;
  if (etag !== undefined && isPersonal(full.text)) {
    const path = row.path('vendor');
    const headers = { 'If-None-Match': etag };
    const { status } = await checked.service.get(path, checked.keyOf('masked'), headers);
    if (status === 304) problems.push('confirms to a masked key the entity tag of a full key');
  }
  return problems;
}

/** Returns true if a text has personal data of the vendor's customer. */
export function isPersonal(text: string): boolean {
  return has(text, personalMark('vendor')) || has(text, customerOf('vendor'));
}

/** Returns a problem for each declared column without personal data. */
async function emptyColumns(checked: CheckedService): Promise<string[]> {
  const { started } = checked.service;
  const stored = await started.storedRows();
  return Object.entries(started.extension.personal).flatMap(([table, columns]) =>
    columns
      .filter((column) => !(stored[table] ?? []).some((row) => isPersonal(String(row[column]))))
      .map(
        (column) =>
          `${table}.${column} held no personal data: name its field in \`texts\` of a row with \`personal: true\`, or fill it in \`prepare\``,
      ),
  );
}
