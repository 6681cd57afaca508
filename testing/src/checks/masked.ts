import { methodOf, type Row } from '../ledger/access-row.js';
import { customerOf, has, personalMark } from '../ledger/checked-ledger.js';
import type { TestService } from '../service/test-service.js';
import { CheckedService, type CheckOptions } from './checked-service.js';
import { throwAll } from './problems.js';

/**
 * Checks that no answer to a masked key has personal data of a customer, from the ledger or from a
 * declared column, in a header or on any page of a list, and that a full key gets it from the
 * operations whose rows say so. Operations that write are checked if masked keys may use them. Each
 * declared column must have held personal data.
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
  for (const row of checked.rows) {
    const found = methodOf(row) === 'GET' ? await readProblems(checked, row) : [];
    if (row.allows.includes('masked')) found.push(...(await shownProblems(checked, row)));
    problems.push(...found.map((problem) => `${row.operation}: ${problem}`));
  }
  return problems;
}

/** Returns what is wrong in the row of an operation that reads, and in its entity tags. */
async function readProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const answers = await checked.askPages(row, 'vendor', 'full');
  const [{ unsent, headers }] = answers;
  const { personal = false } = row;
  const isShown = answers.some((answer) => isPersonal(answer.unsent));
  const problems: string[] = isShown && !personal ? [UNDECLARED] : [];
  if (!isShown && personal) {
    problems.push('shows a full key no personal data, and its row says `personal: true`');
  }
  const { etag } = headers;
  if (row.allows.includes('masked') && etag !== undefined && isPersonal(unsent)) {
    const sent = { 'If-None-Match': etag };
    const { status } = await checked.service.get(row.path('vendor'), checked.keyOf('masked'), sent);
    if (status === 304) problems.push('confirms to a masked key the entity tag of a full key');
  }
  return problems;
}

/**
 * Compares the answers to a masked and to a full key. A service that keeps answers must not give one
 * key those of the other. The tables are filled before each request that writes.
 */
async function shownProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const isWrite = methodOf(row) !== 'GET';
  const problems: string[] = [];
  for (const who of ['masked', 'full', 'masked'] as const) {
    if (isWrite) await checked.fill();
    const answers = await checked.askPages(row, 'vendor', who);
    if (!answers.some(({ unsent }) => isPersonal(unsent))) continue;
    if (who === 'masked') problems.push('shows a masked key personal data');
    else if (isWrite && row.personal !== true) problems.push(UNDECLARED);
  }
  return problems;
}

const UNDECLARED = 'shows a full key personal data: write `personal: true` into its row';

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
