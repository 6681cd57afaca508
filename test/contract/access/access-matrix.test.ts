import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESSES, USER_ACCESSES, type Access } from '../../../src/api/access/principal.js';
import { PRODUCT, USERS, type Who, type Whose } from '../../../testing/src/ledger/access-row.js';
import { ownList, relationship, ROWS, type CoreRow } from '../../support/builders/access-rows.js';
import { expectFailure, type FailureCode } from '../../support/oracles/failure.js';
import { basic, envelopeOf, type Answer } from '../../support/http/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { operationsOf, VENDOR_VERSIONS, versionOf } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';
import { isRecord } from '../../../src/platform/values/is-record.js';
import { within } from '../../support/processes/within.js';

const FEEDS = ROWS.filter(({ names }) => names === 'position');
const NAMING = ROWS.filter(({ names }) => names !== 'position' && names !== 'nothing');
const LISTS = ROWS.filter(({ names }) => names === 'nothing');

/** Pairs of users: the first owns the data, the second requests it. */
const FOREIGN = [
  { of: 'other', who: 'vendor' },
  { of: 'suspended', who: 'vendor' },
  { of: 'vendor', who: 'other' },
  { of: 'vendor', who: 'affiliate' },
] as const;
type Foreign = (typeof FOREIGN)[number];

let service: TestService;
/** Answers to each foreign request before the requested record existed. */
const beforehand = new Map<string, object>();
const keys = new Map<Who | Access, string>();

beforeAll(async () => {
  service = await TestService.start();
  const sellers = ['vendor', 'other', 'suspended'] as const;
  const sale_date = new Date(Date.now() - 86_400_000).toISOString();
  await service.import(
    Object.entries(USERS).map(([who, id]) =>
      user(id, { name: who, status: who === 'suspended' ? 'suspended' : 'active' }),
    ),
  );
  for (const who of ['vendor', 'other', 'affiliate', 'suspended'] as const) {
    keys.set(who, await service.key(USERS[who]));
  }
  for (const access of USER_ACCESSES) {
    keys.set(access, await service.key(USERS.vendor, access));
  }
  keys.set('source', await service.sourceKey(USERS.vendor));
  for (const row of NAMING) {
    for (const foreign of FOREIGN) {
      beforehand.set(nameOf(row, foreign), seen(await ask(row, foreign.of, foreign.who)));
    }
  }
  await service.import([
    ...sellers.map((who) => product(PRODUCT[who], USERS[who])),
    ...sellers.flatMap((who) => [
      affiliation(USERS.affiliate, PRODUCT[who], { status: 'REQUESTED' }),
      recurringPayment(`pre-of-${who}`, PRODUCT[who]),
      transaction(`of-${who}`, PRODUCT[who]),
      transaction(`sold-by-${who}`, 20, { sale_date, affiliate_id: USERS[who] }),
    ]),
    transaction('sold-by-affiliate', 10, { sale_date, affiliate_id: USERS.affiliate }),
  ]);
});
afterAll(() => service.stop());

function ask(
  { operation, path, body }: CoreRow,
  whose: Whose,
  who?: Who | Access,
): Promise<Answer> {
  const key = who === undefined ? undefined : keys.get(who);
  return service.send({
    method: operation.slice(0, operation.indexOf(' ')),
    path: path(whose),
    headers: {
      'X-Request-Id': 'the-same',
      ...(key === undefined ? {} : basic(key)),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function nameOf({ operation }: CoreRow, { of, who }: Foreign): string {
  return `${operation} of ${of} for ${who}`;
}

function expectRefused(answer: Answer, row: CoreRow, code: FailureCode): void {
  expectFailure(answer, code, versionOf(row.operation));
}

/** Returns all parts of an answer that a client can see. */
function seen({ status, headers, text }: Answer): object {
  // A tag also depends on the request, so it may differ between two requests.
  return { status, text, headers: { ...headers, date: '', etag: typeof headers.etag } };
}

/** Returns the content of a change, which is stored under the name of its kind. */
function contentOf(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const content: unknown = result[String(result.kind)];
  return isRecord(content) ? content : result;
}

/** Expects the caller's own feed: a paykey that belongs to nobody is treated as unknown. */
function expectOwnFeed(answer: Answer, row: CoreRow, who: Who): void {
  expect([answer.status, answer.headers['x-paykey']]).toEqual([200, 'unknown']);
  const ids = envelopeOf(answer).results.map(({ transaction_id }) => transaction_id);
  expect(ids).toEqual(ownList(row, who));
}

describe('the table', () => {
  it.each(VENDOR_VERSIONS)(
    'has a row for every operation of version %s and no other',
    async (version) => {
      const operations = await operationsOf(service, version, keys.get('vendor') ?? '');
      const rows = ROWS.filter((row) => versionOf(row.operation) === version);
      expect([...new Set(rows.map(({ operation }) => operation))].sort()).toEqual(operations);
    },
  );
});

describe.each(ROWS.map((row) => ({ row, address: `${row.operation} as ${row.path('vendor')}` })))(
  '$address',
  ({ row }) => {
    it.each(ACCESSES)('is for %s access what the table says, for its owner', async (access) => {
      const answer = await ask(row, 'vendor', access);
      if (row.allows.includes(access)) {
        expect(answer.status).toBe(200);
        expect(envelopeOf(answer).meta.status).toMatchObject({ http_status_code: 200, code: 2000 });
      } else {
        expectRefused(answer, row, 4030);
        expect(seen(await ask(row, 'nobody', access))).toEqual(seen(answer));
      }
    });

    it.each(['vendor', 'nobody', 'suspended'] as const)(
      'is 4010 without a key, whatever it names: of %s',
      async (whose) => {
        expectRefused(await ask(row, whose), row, 4010);
      },
    );

    it.each(['vendor', 'nobody', 'suspended'] as const)(
      'is 4030 for a suspended account, whatever it names: of %s',
      async (whose) => {
        expectRefused(await ask(row, whose, 'suspended'), row, 4030);
      },
    );
  },
);

describe.each(FEEDS.map((row) => ({ row, operation: row.operation })))('$operation', ({ row }) => {
  it.each(['vendor', 'other', 'affiliate'] as const)(
    'begins anew for %s where there is no such thing, or none of theirs',
    async (who) => {
      const unknown = await ask(row, 'nobody', who);
      expectOwnFeed(unknown, row, who);
      for (const { of } of FOREIGN.filter((foreign) => foreign.who === who)) {
        expect(seen(await ask(row, of, who))).toEqual(seen(unknown));
      }
    },
  );
});

describe.each(NAMING.map((row) => ({ row, operation: row.operation })))('$operation', ({ row }) => {
  it.each(['vendor', 'other', 'affiliate'] as const)(
    'is 4040 where there is no such thing, for %s',
    async (who) => {
      expectRefused(await ask(row, 'nobody', who), row, 4040);
    },
  );

  it.each(FOREIGN)(
    'refuses $who what is of $of, and tells no more than it may',
    async (foreign) => {
      const answer = await ask(row, foreign.of, foreign.who);
      if (row.names === 'product') {
        expectRefused(answer, row, 4012);
      } else {
        expectRefused(answer, row, 4040);
        expect(seen(answer)).toEqual(beforehand.get(nameOf(row, foreign)));
        const { text } = await ask(row, 'nobody', foreign.who);
        expect(answer.text).toBe(text);
      }
    },
  );
});

describe.each(LISTS.map((row) => ({ row, address: row.path('vendor') })))(
  'GET $address',
  ({ row }) => {
    it.each(['vendor', 'other', 'affiliate'] as const)(
      'holds what is of %s and nothing of another',
      async (who) => {
        const shown = envelopeOf(await ask(row, 'vendor', who)).results.map(contentOf);
        const ids = shown.map(({ transaction_id, product_id }) => transaction_id ?? product_id);
        expect(ids).toEqual(ownList(row, who));
      },
    );
  },
);

describe('a PUT that was refused', () => {
  it.each(['other', 'suspended'] as const)('changes nothing of %s', async (whose) => {
    for (const row of ROWS.filter(({ body }) => body !== undefined)) {
      await ask(row, whose, 'vendor');
      await ask(row, whose, 'affiliate');
      await ask(row, whose, 'suspended');
      await ask(row, whose);
    }
    await service.import([user(USERS[whose])]);
    const key = keys.get(whose) ?? '';
    const affiliate = `/v2.1/affiliates/${relationship(whose)}`;
    const payment = `/v2.0/recurring_payment/pre-of-${whose}`;
    await within(2_000, async () => {
      expect((await service.envelope(affiliate, key)).results).toMatchObject([
        { status: 'REQUESTED' },
      ]);
    });
    expect((await service.envelope(payment, key)).results).toMatchObject([{ status: 'ACTIVE' }]);
  });
});
