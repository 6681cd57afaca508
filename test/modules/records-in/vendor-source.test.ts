import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import {
  problemsIn,
  resultsIn,
  sendRecords,
  verdictsIn,
  type RecordResult,
} from '../../support/http/records.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';

const [OWN, OTHER, AFFILIATE] = [1, 2, 3];
const PASSWORD = 'a long enough password';
const STAYS = 'is there already and stays as it is; records may refer to this user';

let service: TestService;
let raw: RawConnection;
/** Keys of sources; each source belongs to one vendor. */
let own: string;
let other: string;
beforeAll(async () => {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
  await service.import([
    ...[OWN, OTHER, AFFILIATE].map((id) => user(id)),
    product(10, OWN),
    product(20, OTHER),
    recurringPayment('PRE-OTHER', 20),
    transaction('OTHER', 20),
    transaction('OF-PRE-OTHER', 20, { pre_key: 'PRE-OTHER' }),
  ]);
  own = await service.sourceKey(OWN);
  other = await service.sourceKey(OTHER);
});
afterAll(async () => {
  await raw.close();
  await service.stop();
});

async function sendOne(record: object, key = own): Promise<RecordResult> {
  const [result, ...more] = resultsIn(await sendRecords(service, key, [record]));
  if (result === undefined || more.length > 0) throw new Error('one result expected');
  return result;
}

async function userRow(id: number): Promise<RawRow | undefined> {
  return (await raw.rows(`SELECT * FROM users WHERE id = ${id}`))[0];
}

describe('a source of one vendor', () => {
  it('writes what is of that vendor', async () => {
    const answer = await sendRecords(service, own, [
      product(11, OWN),
      affiliation(AFFILIATE, 11),
      recurringPayment('PRE-OWN', 11),
      transaction('OWN', 11, { affiliate_id: AFFILIATE, pre_key: 'PRE-OWN' }),
      clicks(AFFILIATE, 11),
      product(11, OWN, { name: 'Renamed' }),
    ]);
    expect(verdictsIn(answer)).toEqual([...Array<string>(5).fill('inserted'), 'updated']);
  });

  it.each([
    ['a product', product(12, OTHER), 'vendor_id: this source writes only for user 1'],
    ['a product that is there', product(20, OWN), "is another vendor's and can't move"],
    ['a relationship', affiliation(AFFILIATE, 20), "product_id: product 20 is another vendor's"],
    ['clicks', clicks(AFFILIATE, 20), "product_id: product 20 is another vendor's"],
    ['a payment', recurringPayment('NEW', 20), "product_id: product 20 is another vendor's"],
    [
      'a payment that is there',
      recurringPayment('PRE-OTHER', 10),
      "pre_key: is another vendor's recurring payment and can't move",
    ],
    ['a sale', transaction('NEW', 20), "product_id: product 20 is another vendor's"],
    ['a sale that is there', transaction('OTHER', 10), "is another vendor's transaction"],
  ])(
    'is refused %s of another vendor, and does not hear whose it is',
    async (_, record, problem) => {
      const result = await sendOne(record);
      expect(result).toMatchObject({ verdict: 'rejected' });
      expect(result.problem).toContain(problem);
      expect(result.problem).not.toMatch(/\b2\b/);
    },
  );

  it("does not hear which recurring payments others have: another vendor's is as unknown as none", async () => {
    const unknown = (pre_key: string) => `pre_key: there is no recurring payment "${pre_key}"`;
    for (const pre_key of ['PRE-OTHER', 'PRE-NONE']) {
      expect(await sendOne(transaction('PROBE', 10, { pre_key }))).toEqual({
        line: 1,
        type: 'transaction',
        key: 'PROBE',
        verdict: 'rejected',
        problem: unknown(pre_key),
      });
      // One request contains the sale, the subscription itself, and a product or a sale of the
      // other vendor.
      const records = [
        recurringPayment('PRE-OTHER', 10),
        transaction('PROBE', 10, { pre_key }),
        transaction('PROBE', 20, { pre_key }),
        transaction('OF-PRE-OTHER', 10, { pre_key }),
      ];
      const [, ...told] = problemsIn(await sendRecords(service, own, records));
      expect(told).toEqual([
        unknown(pre_key),
        unknown(pre_key),
        "transaction_id: is another vendor's transaction and can't move",
      ]);
    }
    expect(verdictsIn(await sendRecords(service, own, [transaction('PROBE', 10)]))).toEqual([
      'inserted',
    ]);
  });

  it('sends a sale again that named the recurring payment of another vendor before', async () => {
    const sale = transaction('NAMED-BEFORE', 10, { pre_key: 'PRE-OTHER' });
    await service.import([sale]);
    expect(await sendOne({ ...sale, status: 'pending' })).toMatchObject({ verdict: 'updated' });
  });

  it('is closed with its vendor', async () => {
    await service.import([user(4), product(40, 4)]);
    const key = await service.sourceKey(4);
    await service.import([user(4, { status: 'suspended' })]);
    const answer = await sendRecords(service, key, [transaction('CLOSED', 40)]);
    expect(answer.status).toBe(403);
  });
});

describe('a user of a source of one vendor', () => {
  it('is added, changed and referred to', async () => {
    const answer = await sendRecords(service, own, [
      user(100),
      user(100, { name: 'Renamed' }),
      transaction('OF-100', 10, { affiliate_id: 100 }),
      affiliation(100, 10),
    ]);
    expect(verdictsIn(answer)).toEqual(['inserted', 'updated', 'inserted', 'inserted']);
    expect(await sendOne(user(100, { email: 'new@example.test' }))).toMatchObject({
      verdict: 'updated',
      problem: null,
    });
    expect(await userRow(100)).toMatchObject({
      name: 'User 100',
      sign_in_email: 'new@example.test',
    });
  });

  it('that is there already is referred to and not changed, and what it has cannot be guessed', async () => {
    const [same, changed] = [user(AFFILIATE), user(AFFILIATE, { name: 'Mine' })];
    for (const record of [same, changed]) {
      expect(await sendOne(record)).toMatchObject({ verdict: 'unchanged', problem: STAYS });
    }
    expect(await userRow(AFFILIATE)).toMatchObject({ name: 'User 3', source_vendor_id: null });
  });

  it('of another source is not changed', async () => {
    await sendOne(user(101), other);
    expect(await sendOne(user(101, { name: 'Mine' }))).toMatchObject({ problem: STAYS });
    expect(await userRow(101)).toMatchObject({ name: 'User 101', source_vendor_id: OTHER });
  });

  it.each([
    [
      'has a password',
      102,
      () => service.app.get(SignInService).setPassword(102, PASSWORD) as Promise<unknown>,
    ],
    ['has an application', 103, () => service.key(103)],
    [
      'has a sale of another vendor',
      104,
      () => service.import([transaction('SOLD-104', 20, { affiliate_id: 104 })]),
    ],
    ['is a vendor', 105, () => service.import([product(105, 105)])],
  ])('that %s is not changed any more', async (_, id, happen) => {
    await sendOne(user(id));
    await happen();
    expect(await sendOne(user(id))).toMatchObject({ verdict: 'unchanged' });
    expect(await sendOne(user(id, { name: 'Mine' }))).toMatchObject({
      verdict: 'unchanged',
      problem: STAYS,
    });
    expect(await userRow(id)).toMatchObject({ name: `User ${id}` });
  });

  it('keeps its status, which only the operator sets', async () => {
    expect(await sendOne(user(106, { status: 'suspended' }))).toMatchObject({
      verdict: 'rejected',
      problem: 'status: a source cannot set it',
    });
    await sendOne(user(106));
    await service.import([user(106, { status: 'suspended' })]);
    expect(await sendOne(user(106, { name: 'Renamed' }))).toMatchObject({ problem: STAYS });
    expect(await userRow(106)).toMatchObject({ name: 'User 106', status: 'suspended' });
  });

  it('added by two sources at once is one of theirs', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => 200 + at);
    const [mine, theirs] = await Promise.all(
      [own, other].map((key) =>
        sendRecords(
          service,
          key,
          ids.map((id) => user(id, { name: key })),
        ),
      ),
    );
    if (mine === undefined || theirs === undefined) throw new Error('two answers expected');
    const [first, second] = [verdictsIn(mine), verdictsIn(theirs)];
    expect(first.map((verdict, at) => [verdict, second[at]].sort().join())).toEqual(
      ids.map(() => 'inserted,unchanged'),
    );
  });
});

describe('the e-mail of a user who can sign in', () => {
  beforeAll(async () => {
    await service.import([user(300, { email: 'Old@example.test' })]);
    await service.app.get(SignInService).setPassword(300, PASSWORD);
  });

  it('stays the one for signing in, whatever record changes it', async () => {
    const all = await service.sourceKey(null);
    expect(await sendOne(user(300, { email: 'new@example.test' }), all)).toMatchObject({
      verdict: 'updated',
    });
    await service.import([user(300, { email: 'newer@example.test' })]);
    expect(await userRow(300)).toMatchObject({
      email: 'newer@example.test',
      sign_in_email: 'old@example.test',
    });
  });

  it('is taken over when the operator sets the password, and not when the user does', async () => {
    const signIn = service.app.get(SignInService);
    await signIn.setPassword(300, PASSWORD, 300);
    expect(await userRow(300)).toMatchObject({ sign_in_email: 'old@example.test' });
    await signIn.setPassword(300, PASSWORD);
    expect(await userRow(300)).toMatchObject({ sign_in_email: 'newer@example.test' });
  });
});

describe('problems of a list', () => {
  it('stand beside each record', async () => {
    const records = [transaction('MIXED', 10), transaction('MIXED-2', 20), user(AFFILIATE)];
    expect(problemsIn(await sendRecords(service, own, records))).toEqual([
      null,
      "product_id: product 20 is another vendor's",
      STAYS,
    ]);
  });
});
