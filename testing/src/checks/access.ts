import { methodOf, type Access, type Row, type Who } from '../ledger/access-row.js';
import { othersIn } from '../ledger/checked-ledger.js';
import type { TestService } from '../service/test-service.js';
import {
  CheckedService,
  FOREIGN,
  operationsOf,
  seen,
  type CheckOptions,
} from './checked-service.js';
import { problemsOf, refusalProblems, throwAll } from './problems.js';

const ACCESSES: readonly Access[] = ['full', 'read', 'masked', 'source'];
const CALLERS: readonly Who[] = ['vendor', 'other', 'affiliate'];

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
    const found = [
      ...(await keylessProblems(checked, row)),
      ...(await suspendedProblems(checked, row)),
      ...(row.names === 'nothing'
        ? await listProblems(checked, row)
        : await foreignProblems(checked, row)),
      ...(await levelProblems(checked, row)),
    ];
    problems.push(...found.map((problem) => `${row.operation}: ${problem}`));
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

/** Checks the access levels of the owner's keys. */
async function levelProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const problems: string[] = [];
  const version = checked.versionOf(row);
  for (const access of ACCESSES) {
    const answer = await checked.ask(row, 'vendor', access);
    const add = (found: readonly string[]) =>
      problems.push(...found.map((problem) => `for the owner with ${access} access: ${problem}`));
    if (row.allows.includes(access)) {
      if (answer.status >= 300) add([`answers ${answer.status}`]);
      add(problemsOf(answer, version));
      if (methodOf(row) === 'DELETE') await checked.fill();
    } else {
      add(refusalProblems(answer, 4030, version));
      const unknown = await checked.ask(row, 'nobody', access);
      if (seen(unknown) !== seen(answer)) add(['answers differently if the record does not exist']);
    }
  }
  return problems;
}

async function keylessProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const problems: string[] = [];
  for (const whose of ['vendor', 'nobody', 'suspended'] as const) {
    const answer = await checked.ask(row, whose);
    const found = refusalProblems(answer, 4010, checked.versionOf(row));
    problems.push(...found.map((problem) => `without a key, of ${whose}: ${problem}`));
  }
  return problems;
}

async function suspendedProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const problems: string[] = [];
  for (const whose of ['vendor', 'nobody', 'suspended'] as const) {
    const answer = await checked.ask(row, whose, 'suspended');
    const found = refusalProblems(answer, 4030, checked.versionOf(row));
    problems.push(...found.map((problem) => `for a suspended vendor, of ${whose}: ${problem}`));
  }
  return problems;
}

/** Checks the answers about records of others, and about records that do not exist. */
async function foreignProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const problems: string[] = [];
  const version = checked.versionOf(row);
  for (const who of CALLERS) {
    const found = refusalProblems(await checked.ask(row, 'nobody', who), 4040, version);
    problems.push(...found.map((problem) => `of nobody, for ${who}: ${problem}`));
  }
  for (const foreign of FOREIGN) {
    const answer = await checked.ask(row, foreign.of, foreign.who);
    const isProduct = row.names === 'product';
    const found = [
      ...refusalProblems(answer, isProduct ? 4012 : 4040, version),
      ...othersIn(answer.text, foreign.who).map((of) => `shows data of ${of}`),
      ...(isProduct || seen(answer) === checked.earlier(row, foreign)
        ? []
        : ['answers differently if the record does not exist']),
    ];
    problems.push(...found.map((problem) => `of ${foreign.of}, for ${foreign.who}: ${problem}`));
  }
  return problems;
}

/** Checks that answers to an operation that names nothing are of the caller alone. */
async function listProblems(checked: CheckedService, row: Row): Promise<string[]> {
  const problems: string[] = [];
  for (const who of CALLERS) {
    const answer = await checked.ask(row, 'vendor', who);
    const found = [
      ...problemsOf(answer, checked.versionOf(row)),
      ...othersIn(answer.text, who).map((of) => `shows data of ${of}`),
    ];
    problems.push(...found.map((problem) => `for ${who}: ${problem}`));
  }
  return problems;
}
