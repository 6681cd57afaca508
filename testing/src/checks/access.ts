import type { Row } from '../ledger/access-row.js';
import { envelopeOf } from '../service/http.js';
import type { TestService } from '../service/test-service.js';
import { ACCESSES, CALLERS, FOREIGN, OWNERS } from './access-matrix.js';
import { CheckedService, type CheckOptions } from './checked-service.js';
import { problemsOf, shown, throwAll } from './problems.js';

/**
 * Checks the access matrix: that each operation of the extension has a row and answers only the
 * keys that may use it, with nothing of another vendor. A key that may not see a record gets the
 * same answer as if it did not exist.
 * @throws Error that lists all problems
 */
export async function checkAccess(
  service: TestService,
  rows: readonly Row[],
  options: CheckOptions = {},
): Promise<void> {
  throwAll('checkAccess', await accessProblems(await CheckedService.of(service, rows, options)));
}

export async function accessProblems(checked: CheckedService): Promise<string[]> {
  const problems = await tableProblems(checked);
  for (const row of checked.rows) {
    const add = (about: string, found: readonly string[]) =>
      problems.push(...found.map((problem) => `${row.operation}: ${about}: ${problem}`));
    for (const whose of OWNERS) {
      add(`without a key, of ${whose}`, await checked.keylessProblems(row, whose));
      add(`for a suspended vendor, of ${whose}`, await checked.suspendedProblems(row, whose));
    }
    if (row.names === 'nothing') {
      for (const who of CALLERS) add(`for ${who}`, await listProblems(checked, row, who));
    } else {
      for (const who of CALLERS) {
        add(`of nobody, for ${who}`, await checked.unknownProblems(row, who));
      }
      for (const foreign of FOREIGN) {
        const about = `of ${foreign.of}, for ${foreign.who}`;
        add(about, await checked.foreignProblems(row, foreign));
      }
    }
    for (const access of ACCESSES) {
      await checked.refill(row);
      add(`for the owner with ${access} access`, await checked.levelProblems(row, access));
    }
    await checked.refill(row);
  }
  return problems;
}

/** Compares the rows with the operations that the versions list. */
async function tableProblems(checked: CheckedService): Promise<string[]> {
  const { name, versions } = checked.service.started.extension;
  const operations: string[] = [];
  for (const version of versions) {
    operations.push(...(await operationsOf(checked, `/extensions/${name}/v${version}`)));
  }
  const rows = checked.rows.map(({ operation }) => operation);
  return [
    ...operations.filter((each) => !rows.includes(each)).map((each) => `${each} has no row`),
    ...rows
      .filter((each) => !operations.includes(each))
      .map((each) => `the row ${each} is of no operation`),
  ];
}

/** Returns the operations that a version lists, such as `GET /extensions/notes/v1/notes`. */
async function operationsOf(checked: CheckedService, path: string): Promise<string[]> {
  const answer = await checked.service.get(path, checked.keyOf('vendor'));
  const operations = envelopeOf(answer).results[0]?.operations;
  if (!Array.isArray(operations)) throw new Error(`GET ${path} answers ${shown(answer.text)}`);
  return operations.map(({ method, path: template }: Record<string, unknown>) =>
    [method, template].join(' '),
  );
}

/** Checks that the answer to an operation that names nothing is of the caller alone. */
async function listProblems(
  checked: CheckedService,
  row: Row,
  who: (typeof CALLERS)[number],
): Promise<string[]> {
  await checked.refill(row);
  const answers = await checked.askPages(row, 'vendor', who);
  return answers.flatMap((answer) => [
    ...problemsOf(answer, checked.versionOf(row)),
    ...checked.leaksIn(answer, who),
  ]);
}
