import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAccess } from '../../testing/src/checks/access.js';
import { checkAll } from '../../testing/src/checks/all.js';
import { checkErased } from '../../testing/src/checks/erased.js';
import { checkHostileValues } from '../../testing/src/checks/hostile.js';
import { checkMasked } from '../../testing/src/checks/masked.js';
import { checkStatements } from '../../testing/src/checks/statements.js';
import { Database } from '../../src/platform/database/database.js';
import { startService } from '../../testing/host/testing-host.js';
import { PRODUCT, type Row } from '../../testing/src/ledger/access-row.js';
import { transaction } from '../../testing/src/ledger/records.js';
import { TestService } from '../../testing/src/service/test-service.js';
import { Faults, type Fault } from './faults.js';
import { NOTES, ROWS } from './faulty-notes.js';

const LIST = 'GET /extensions/notes/v1/notes';
const GET = 'GET /extensions/notes/v1/sales/{transaction_id}/note';
const PUT = 'PUT /extensions/notes/v1/sales/{transaction_id}/note';
const SALES = 'GET /extensions/notes/v1/sales';
const SEARCH = 'POST /extensions/notes/v1/search';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ extension: NOTES }, { startService });
});
afterAll(() => service.stop());

/** Returns the problems that a check finds in the extension with these faults, one a line. */
async function problemsWith(faults: readonly Fault[], check: typeof checkAccess): Promise<string> {
  const switched = service.services.get(Faults);
  switched.current = faults;
  try {
    await check(service, ROWS);
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    switched.current = [];
    await service.services.get(Database).write((session) => session.run('DELETE FROM notes', []));
  }
}

describe('checkAccess', () => {
  it.each<[Fault, string]>([
    ['forgets the vendor in a list', `${LIST}: for vendor: shows data of other`],
    [
      'does not check the owner of a sale',
      `${PUT}: of other, for vendor: answers 200 with code 2000, not code 4040`,
    ],
    ['quotes another vendor in an error', `${GET}: of other, for vendor: shows data of other`],
    [
      'lets a read key write',
      `${PUT}: for the owner with read access: answers 200 with code 2000, not code 4030`,
    ],
  ])('finds an extension that %s', async (fault, problem) => {
    expect(await problemsWith([fault], checkAccess)).toContain(`- ${problem}\n`);
  });

  it('finds an operation without a row, and a row without an operation', async () => {
    const [list, ...rest] = ROWS;
    const other = await TestService.start({ extension: NOTES }, { startService });
    const superfluous: Row[] = rest.map((row) => row);
    if (list !== undefined) superfluous.push({ ...list, operation: `${LIST}/all` });
    await expect(checkAccess(other, superfluous)).rejects.toThrow(
      new RegExp(`${LIST} has no row\n- the row ${LIST}/all is of no operation`),
    );
    await other.stop();
  });
});

describe('checkStatements', () => {
  it.each<[Fault, string]>([
    ['forgets the vendor in a query', `${GET}: SELECT notes names no vendor for notes`],
    ['forgets the vendor in an update', `${PUT}: UPDATE notes names no vendor for notes`],
  ])('finds an extension that %s', async (fault, problem) => {
    expect(await problemsWith([fault], checkStatements)).toContain(`- ${problem}: `);
  });
});

describe('checkStatements of work besides operations', () => {
  let changes = 0;
  const change = async () => {
    changes += 1;
    await service.import([transaction(`changed-${changes}`, PRODUCT.vendor)]);
    await service.settled();
  };

  it('finds a listener that forgets the vendor, unless it is allowed', async () => {
    service.services.get(Faults).current = ['forgets the vendor in a listener'];
    await expect(checkStatements(service, ROWS, { works: { change } })).rejects.toThrow(
      '- change: UPDATE notes_counts names no vendor for notes_counts: ',
    );
    const allowed = { 'UPDATE notes_counts': 'a test', 'SELECT notes': 'never sent' };
    await expect(checkStatements(service, ROWS, { works: { change }, allowed })).rejects.toThrow(
      'found 1 problem:\n- the allowed statement SELECT notes was not sent',
    );
    service.services.get(Faults).current = [];
  });
});

describe('checkMasked', () => {
  it('finds an extension that shows a masked key the text under another name', async () => {
    const problems = await problemsWith(
      ['shows a masked key the text under another name'],
      checkMasked,
    );
    expect(problems).toContain(`- ${GET}: shows a masked key personal data`);
    expect(problems).toContain(`- ${LIST}: shows a masked key personal data`);
  });

  it.each<[Fault, string]>([
    ['shows a masked key the text in a header', GET],
    ['shows a masked key the text on a later page', SALES],
    ['shows a masked key the text in a search', SEARCH],
  ])('finds an extension that %s', async (fault, operation) => {
    expect(await problemsWith([fault], checkMasked)).toBe(
      `checkMasked found 1 problem:\n- ${operation}: shows a masked key personal data`,
    );
  });
});

describe('checkHostileValues', () => {
  it('finds an internal error, a value of nonsense, and a change of foreign rows', async () => {
    const problems = await problemsWith(
      ['fails at a quotation mark', 'takes any limit', 'forgets the vendor in an update'],
      checkHostileValues,
    );
    expect(problems).toContain(`- ${PUT}: text: the status 500, for "'"\n`);
    expect(problems).toContain(`- ${LIST}: limit: takes it for a value, for "'", "\\"", "\`" and `);
    expect(problems).toContain('- hostile values change rows of other vendors in notes');
  });
});

describe('checkErased', () => {
  it('finds an extension that keeps a copy of the text', async () => {
    const other = await TestService.start({ extension: NOTES }, { startService });
    other.services.get(Faults).current = ['keeps a copy of the text'];
    await expect(checkErased(other, ROWS)).rejects.toThrow('notes.copy has data of an erased');
    await other.stop();
  });
});

describe('checkAll', () => {
  // Its texts look like ids of transactions, it repeats what it is sent, and it deletes only once.
  it('finds nothing in a sound extension', async () => {
    await checkAll(service, ROWS);
  });
});
