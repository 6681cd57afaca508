/**
 * A user is renamed while the user's first sale arrives: two writers that do not know each other.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { envelopeOf } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { timeToGoWrong } from '../../support/processes/time-to-go-wrong.js';
import { TestService } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';

const [VENDOR, AFFILIATE, SECOND_VENDOR] = [1, 2, 3];
const DETAIL = '/v2.1/transaction/details/second';
const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';

let service: TestService;
let other: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  other = await service.beside();
  await service.import([
    ...[VENDOR, AFFILIATE, SECOND_VENDOR].map((id) => user(id)),
    product(10, VENDOR),
    product(30, SECOND_VENDOR),
  ]);
  key = await service.key(VENDOR);
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

/** Holds a transaction back just before its commit, until `release` is called. */
function holdCommit(of: TestService): {
  readonly written: Promise<void>;
  readonly release: () => void;
} {
  const database = of.app.get(Database);
  const write = database.write.bind(database);
  let release = (): void => undefined;
  let tell = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const written = new Promise<void>((resolve) => {
    tell = resolve;
  });
  database.write = (work) => {
    database.write = write;
    return write(async (session) => {
      const result = await work(session);
      tell();
      await gate;
      return result;
    });
  };
  return { written, release };
}

describe('a name that is committed after the sale that shows it', () => {
  // Two writers in one process would wait for each other on SQLite, which has one writer at a time.
  const writers = dialect === 'mysql' ? ['another instance'] : ['the same instance'];

  it.each(writers)('is in the next answer, the sale written by %s', async () => {
    const { written, release } = holdCommit(service);
    const renaming = service.import([user(AFFILIATE, { display_name: 'New' })]);
    await written;
    const selling = (dialect === 'mysql' ? other : service).import([
      transaction('first', 10, { affiliate_id: AFFILIATE }),
    ]);
    // This is time enough for a commit of the sale, if nothing prevents it.
    await Promise.race([selling, timeToGoWrong(500)]);
    const early = await other.get(LIST, key);
    release();
    await Promise.all([renaming, selling]);
    const headers = { 'If-None-Match': String(early.headers.etag) };
    for (const asked of [other, service, other]) {
      const answer = await asked.get(LIST, key, headers);
      expect(answer.status).toBe(200);
      expect(envelopeOf(answer).results).toMatchObject([
        { affiliate: { id: AFFILIATE, display_name: 'New' } },
      ]);
    }
  });

  it.each(writers)('and so is the vendor’s own, the first sale written by %s', async () => {
    const of = await service.key(SECOND_VENDOR);
    const { written, release } = holdCommit(service);
    const changing = service.import([user(SECOND_VENDOR, { email: 'new@example.test' })]);
    await written;
    const selling = (dialect === 'mysql' ? other : service).import([transaction('second', 30)]);
    await Promise.race([selling, timeToGoWrong(500)]);
    const early = await other.get(DETAIL, of);
    release();
    await Promise.all([changing, selling]);
    const { etag = '"none"' } = early.headers;
    const answer = await other.get(DETAIL, of, { 'If-None-Match': etag });
    expect(answer.status).toBe(200);
    expect(envelopeOf(answer).results).toMatchObject([{ vendor_email: 'new@example.test' }]);
  });

  it('leaves nothing derived that differs from the ledger', async () => {
    expect(await service.app.get(VerificationService).differences()).toEqual([]);
  });
});
