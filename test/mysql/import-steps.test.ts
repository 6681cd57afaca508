/**
 * Steps of an import: transactions of several batches, whose rows are written while the next batch
 * is checked. On SQLite, each batch is a transaction of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool, type PoolConnection } from 'mysql2';
import { MysqlConnection } from '../../src/platform/database/mysql/mysql-connection.js';
import {
  affiliation,
  product,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from '../support/builders/ledger-records.js';
import {
  BATCH_LINES,
  bytesOf,
  TestLedger,
  type Dump,
  type Line,
} from '../support/builders/test-ledger.js';

const VENDOR = 1;
const AFFILIATES = [100, 101, 102, 103, 104, 105, 106, 107, 108];
const PARTIES: Line[] = [
  user(VENDOR),
  ...AFFILIATES.map((id) => user(id)),
  product(10, VENDOR),
  product(11, VENDOR),
];
/** Number of batches after the one with the parties: more than a step has. */
const BATCHES = 7;
/** Each batch changes this many sales of the batch before it. */
const CHANGED = 700;

/** The batch that also changes parties which other batches name. */
const MIXED = 5;
const CHANGED_PARTIES: Line[] = [
  user(101, { name: 'Renamed' }),
  product(10, VENDOR, { name: 'Renamed' }),
  affiliation(104, 11),
];

/**
 * Returns a batch of sales, some of which change sales of the batch before. Each batch has one more
 * affiliate.
 */
function batchOf(index: number): Line[] {
  const sales = salesOf(index);
  return index === MIXED ? [...CHANGED_PARTIES, ...sales.slice(CHANGED_PARTIES.length)] : sales;
}

function salesOf(index: number): Line[] {
  return Array.from({ length: BATCH_LINES }, (_, at) => {
    const isChange = index > 0 && at < CHANGED;
    const number = isChange ? (index - 1) * BATCH_LINES + CHANGED + at : index * BATCH_LINES + at;
    return transaction(`PA-${number}`, 10 + (index % 2), {
      payouts: WITH_COMMISSION,
      affiliate_id: AFFILIATES[(number + index) % (3 + index)],
      sale_date: `2025-0${1 + (number % 9)}-11T10:00:00Z`,
      tracking: { utm_source: `source ${number % 50}` },
      ...(number % 10 === 0
        ? { status: 'refunded', refund: refund(`2025-1${index % 3}-20T10:00:00Z`) }
        : {}),
    });
  });
}

const batches = Array.from({ length: BATCHES }, (_, index) => batchOf(index));

/** Revisions count batches and sellers, of which a step finds some twice. */
function withoutRevisions(dump: Dump): Dump {
  const rows = dump.ledger_revisions ?? [];
  return { ...dump, ledger_revisions: rows.map((row) => ({ ...row, revision: 0 })) };
}

let apart: TestLedger;
let together: TestLedger;

beforeAll(async () => {
  apart = await TestLedger.create();
  together = await TestLedger.create();
  await apart.mustImport(PARTIES);
  for (const batch of batches) await apart.mustImport(batch);
  await together.mustImport(PARTIES);
});
afterAll(async () => {
  await apart.drop();
  await together.drop();
});

/** The last sale of each batch, which no other batch changes. */
const MARKERS = batches.map((_, index) => `PA-${(index + 1) * BATCH_LINES - 1}`);
/** The batch whose first attempt fails. */
const CONFLICTING = 3;

describe('An import of the first sales of a vendor', () => {
  it('is repeated in smaller parts after a conflict in the middle of a step', async () => {
    // A ROLLBACK does not change a table of this engine.
    await together.run('CREATE TABLE attempts (sale VARCHAR(64) NOT NULL) ENGINE=MyISAM');
    await together.run(`CREATE TRIGGER conflicting BEFORE INSERT ON transactions FOR EACH ROW
      IF NEW.transaction_id IN (${MARKERS.map((id) => `'${id}'`).join(', ')}) THEN
        INSERT INTO attempts VALUES (NEW.transaction_id);
        IF NEW.transaction_id = '${MARKERS[CONFLICTING]}'
          AND (SELECT COUNT(*) FROM attempts WHERE sale = NEW.transaction_id) = 1 THEN
          SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'undone';
        END IF;
      END IF`);
    const file = together.file('ledger.ndjson', bytesOf(batches.flat()));
    expect(await together.cli(['import', file])).toMatchObject({ status: 0 });
    const attempts = (await together.rows('SELECT sale FROM attempts')).map(({ sale }) => sale);
    const twice = MARKERS.filter((id) => attempts.filter((sale) => sale === id).length === 2);
    // The conflict also undid batches before it, and nothing is written three times.
    expect(twice.at(-1)).toBe(MARKERS[CONFLICTING]);
    expect(twice.length).toBeGreaterThan(1);
    expect(attempts).toHaveLength(BATCHES + twice.length);
  });

  it('leaves the same as its batches one by one', async () => {
    expect(withoutRevisions(await together.dump())).toEqual(withoutRevisions(await apart.dump()));
    expect(await together.cli(['verify'])).toMatchObject({ status: 0 });
  });
});

describe('Statements that wait for the one that is running', () => {
  it('fail with it, because the server may have rolled the transaction back', async () => {
    await apart.run('CREATE TABLE written (id INT NOT NULL)');
    const pool = createPool(apart.database.url);
    try {
      const raw = await new Promise<PoolConnection>((resolve, reject) => {
        pool.getConnection((error, connection) => {
          if (error === null) resolve(connection);
          else reject(error);
        });
      });
      const connection = new MysqlConnection(raw, null);
      await connection.begin();
      const statements = ['INSERT INTO missing VALUES (1)', 'INSERT INTO written VALUES (1)'];
      const results = await Promise.allSettled(statements.map((sql) => connection.run(sql, [])));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      // The next statement is one of its caller, who knows of the error.
      await connection.run('INSERT INTO written VALUES (2)', []);
      await connection.end('COMMIT');
      expect(await apart.rows('SELECT id FROM written')).toEqual([{ id: 2 }]);
    } finally {
      await pool.promise().end();
    }
  });
});
