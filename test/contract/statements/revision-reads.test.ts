/**
 * The read of the revision before a 304 or a cached page: callers share it, and it is never older
 * than its caller.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, type SqlValue } from '../../../src/platform/database/database.js';
import { LedgerReadsService } from '../../../src/ledger/revisions/ledger-reads.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { StatementLog } from '../../support/sql/statements.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

const VENDORS = Array.from({ length: 70 }, (_, index) => 1 + index);
/** One statement reads the revisions of at most this many vendors. */
const OF_A_STATEMENT = 64;

let service: TestService;
let revisions: LedgerReadsService;
let imports = 0;

beforeAll(async () => {
  service = await TestService.start();
  revisions = service.app.get(LedgerReadsService);
  await service.import(VENDORS.flatMap((id) => [user(id), product(1_000 + id, id)]));
  // Each vendor has another revision, so that two of them cannot be confused.
  for (const id of VENDORS.slice(0, 10)) for (let at = 0; at <= id; at += 1) await write(id);
});
afterAll(() => service.stop());

async function write(vendor_id: number): Promise<void> {
  imports += 1;
  await service.import([transaction(`sale-${imports}`, 1_000 + vendor_id)]);
}

function revisionsOf(vendors: readonly number[]): Promise<number[]> {
  return Promise.all(vendors.map((id) => revisions.revisionOf(id)));
}

describe('the revision of a ledger', () => {
  it('is 0 if there never was a transaction', async () => {
    expect(await revisions.revisionOf(70)).toBe(0);
    expect(await revisions.revisionOf(12_345)).toBe(0);
  });

  it('grows with every write', async () => {
    const seen = [await revisions.revisionOf(1)];
    for (let time = 0; time < 3; time += 1) {
      await write(1);
      seen.push(await revisions.revisionOf(1));
    }
    expect(seen).toEqual([...new Set(seen)].sort((left, right) => left - right));
  });

  it.each([1, 2, 7, 8, 9, 63, 64, 65, 70])(
    'is each vendor’s own if %i are requested',
    async (count) => {
      const alone: number[] = [];
      for (const id of VENDORS.slice(0, count)) alone.push(await revisions.revisionOf(id));
      expect(await revisionsOf(VENDORS.slice(0, count))).toEqual(alone);
    },
  );
});

describe('concurrent callers', () => {
  let log: StatementLog;
  beforeAll(async () => {
    log = await StatementLog.of(service);
  });

  it('share a statement, for whichever ledgers', async () => {
    const everyone = VENDORS.slice(0, OF_A_STATEMENT);
    const sent = await log.during(() => revisionsOf([...everyone, ...everyone, ...everyone]));
    expect(sent).toHaveLength(1);
  });

  it('share as few as the vendors need', async () => {
    expect(await log.during(() => revisionsOf(VENDORS))).toHaveLength(1);
  });

  it('all get the error if the database does not answer, and the next ones succeed', async () => {
    const ledger = TestLedger.on(service.database);
    await ledger.run('ALTER TABLE ledger_revisions RENAME TO gone');
    const told = await Promise.allSettled([1, 2, 3].map((id) => revisions.revisionOf(id)));
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await ledger.run('ALTER TABLE gone RENAME TO ledger_revisions');
    expect(await revisions.revisionOf(1)).toBeGreaterThan(0);
    await ledger.close();
  });
});

describe('a read that began before a caller came', () => {
  /** Holds back the answers of the database until `release` is called. */
  function holdAnswers(): { readonly answered: Promise<void>; readonly release: () => void } {
    const database = service.app.get(Database);
    const select = database.select.bind(database);
    let release = (): void => undefined;
    let tell = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    database.select = async <Row extends object>(sql: string, values: readonly SqlValue[]) => {
      const found = await select<Row>(sql, values);
      tell();
      await gate;
      return found;
    };
    return {
      answered,
      release: () => {
        database.select = select;
        release();
      },
    };
  }

  it('is never shared with that caller', async () => {
    const before = await revisions.revisionOf(1);
    const { answered, release } = holdAnswers();
    const early = revisions.revisionOf(1);
    // The statement has run, and its result exists, before the write begins.
    await answered;
    // Imports use a session of their own for their reads.
    await write(1);
    const late = [revisions.revisionOf(1), revisions.revisionOf(1), revisions.revisionOf(2)];
    release();
    expect(await early).toBe(before);
    expect(await Promise.all(late)).toEqual([
      before + 1,
      before + 1,
      await revisions.revisionOf(2),
    ]);
  });
});
