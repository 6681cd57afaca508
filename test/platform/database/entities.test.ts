/** TypeORM uses the service's connections, and reads and writes values as its own statements do. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Like, type Repository } from 'typeorm';
import { Database, type Session } from '../../../src/platform/database/database.js';
import {
  RecurringCancelEntity,
  type RecurringCancelRow,
} from '../../../src/modules/recurring/recurring-payment.entity.js';
import { TestService } from '../../support/servers/service.js';
import { StatementLog } from '../../support/sql/statements.js';
import { dialect } from '../../support/sql/test-database.js';

/** This time does not exist in New York, the time zone of the tests. */
const ENDS = '2025-03-09 02:30:00';
const ROW: RecurringCancelRow = {
  pre_key: 'pre-1',
  claim: 'claim',
  claim_ends: ENDS,
  idempotency_key: 'once',
  user_id: 2 ** 53 - 1,
  application_id: 0,
  asked: null,
  tries: 3,
  next_try: ENDS,
};

let service: TestService;
let database: Database;
let cancels: Repository<RecurringCancelRow>;
beforeAll(async () => {
  service = await TestService.start();
  database = service.app.get(Database);
  cancels = database.manager.getRepository(RecurringCancelEntity);
});
beforeEach(() => database.write((session) => written(session).deleteAll()));
afterAll(() => service.stop());

function written({ manager }: Session): Repository<RecurringCancelRow> {
  return manager.withRepository(cancels);
}

async function add(...rows: readonly RecurringCancelRow[]): Promise<void> {
  await database.write((session) => written(session).insert([...rows]));
}

describe('An entity', () => {
  it('is read as it was written: date-times are text, and integers exact', async () => {
    await add(ROW);
    expect(await cancels.findOneBy({ pre_key: 'pre-1' })).toEqual(ROW);
    const [row] = await database.select<Pick<RecurringCancelRow, 'next_try' | 'user_id'>>(
      'SELECT next_try, user_id FROM recurring_cancels WHERE ends = ?',
      [ENDS],
    );
    expect(row).toEqual({ next_try: ENDS, user_id: ROW.user_id });
  });

  it('is found by its exact key, byte for byte', async () => {
    await add(ROW, { ...ROW, pre_key: 'PRE-1' }, { ...ROW, pre_key: 'pre-1 ' });
    const found = await cancels.findBy({ pre_key: 'pre-1' });
    expect(found.map(({ pre_key }) => pre_key)).toEqual(['pre-1']);
  });

  it('is saved in the transaction of a session, and rolled back with it', async () => {
    const undone = database.write(async (session) => {
      await written(session).save({ ...ROW });
      expect(await written(session).find()).toEqual([ROW]);
      expect(await cancels.count()).toBe(0);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await cancels.count()).toBe(0);
    await database.write((session) => written(session).save({ ...ROW }));
    expect(await cancels.count()).toBe(1);
  });

  it('can be rolled back alone, in a nested transaction', async () => {
    await database.write(async (session) => {
      await written(session).insert(ROW);
      const inner = session.manager.transaction(async (manager) => {
        await manager.withRepository(cancels).insert({ ...ROW, pre_key: 'pre-2' });
        throw new Error('inner');
      });
      await expect(inner).rejects.toThrow('inner');
    });
    expect(await cancels.findBy({ pre_key: Like('pre-%') })).toEqual([ROW]);
  });

  it('is inserted or updated by one statement', async () => {
    const log = await StatementLog.of(service);
    const upsert = (claim: string) =>
      database.write((session) => written(session).upsert({ ...ROW, claim }, ['pre_key']));
    expect(await log.allDuring(() => upsert('first'))).toHaveLength(1);
    expect(await log.allDuring(() => upsert('second'))).toHaveLength(1);
    expect(await cancels.find()).toEqual([{ ...ROW, claim: 'second' }]);
  });

  it('cannot be written outside of a session', async () => {
    for (const write of [
      () => cancels.insert(ROW),
      () => cancels.save({ ...ROW }),
      () => cancels.delete({ pre_key: 'pre-1' }),
      () => cancels.query('DELETE FROM recurring_cancels'),
      () => database.manager.transaction(() => Promise.resolve()),
    ]) {
      await expect(write()).rejects.toThrow('database.write');
    }
    expect(await cancels.count()).toBe(0);
  });

  it('is saved by a retry if another row had its key', async () => {
    await add(ROW);
    let tried = 0;
    await database.write(async (session) => {
      tried += 1;
      const pre_key = tried === 1 ? 'pre-1' : 'pre-2';
      await written(session).insert({ ...ROW, pre_key });
    });
    expect(tried).toBe(2);
    expect(await cancels.count()).toBe(2);
  });

  it('is locked until the end of the session, if the database has such locks', async () => {
    const log = await StatementLog.of(service);
    const sent = await log.allDuring(() =>
      database.write((session) =>
        written(session).find({ where: { pre_key: 'pre-1' }, ...session.dialect.locked }),
      ),
    );
    expect(sent.map(({ sql }) => sql.endsWith('FOR UPDATE'))).toEqual([dialect === 'mysql']);
  });

  it('reports a driver error like the service’s own statements', async () => {
    const wrong = 'SELECT no_such_column FROM recurring_cancels';
    const [own, entities] = await Promise.all(
      [database.select(wrong, []), cancels.query(wrong)].map((read) =>
        read.then(String, (error: unknown) => error),
      ),
    );
    expect(entities).toEqual(own);
  });
});
