import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USER_ACCESSES } from '../../../src/api/access/principal.js';
import {
  ACCESSES,
  AccessMatrix,
  CALLERS,
  FOREIGN,
  OWNERS,
  seen,
} from '../../../testing/src/checks/access-matrix.js';
import { PRODUCT, USERS, type Who } from '../../../testing/src/ledger/access-row.js';
import { ownList, relationship, ROWS, type CoreRow } from '../../support/builders/access-rows.js';
import { envelopeOf, type Answer, type Request } from '../../support/http/http.js';
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

/** The matrix with the rows and the users of this test. */
class Matrix extends AccessMatrix {
  send(request: Request): Promise<Answer> {
    return service.send(request);
  }

  versionOf({ operation }: CoreRow): string {
    return versionOf(operation);
  }

  protected bodyOf({ body }: CoreRow): object | undefined {
    return body;
  }
}

const matrix = new Matrix();
let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
  const sellers = ['vendor', 'other', 'suspended'] as const;
  const sale_date = new Date(Date.now() - 86_400_000).toISOString();
  const referred = (who: keyof typeof USERS, product_id: number) => {
    const id = `sold-by-${who}`;
    const by = { sale_date, affiliate_id: USERS[who], tracking: { tid: id } };
    return transaction(id, product_id, by);
  };
  await service.import(
    Object.entries(USERS).map(([who, id]) =>
      user(id, { name: who, status: who === 'suspended' ? 'suspended' : 'active' }),
    ),
  );
  for (const who of ['vendor', 'other', 'affiliate', 'suspended'] as const) {
    matrix.setKey(who, await service.key(USERS[who]));
  }
  for (const access of USER_ACCESSES) {
    matrix.setKey(access, await service.key(USERS.vendor, access));
  }
  matrix.setKey('source', await service.sourceKey(USERS.vendor));
  for (const row of NAMING) await matrix.askBeforehand(row);
  await service.import([
    ...sellers.map((who) => product(PRODUCT[who], USERS[who])),
    ...sellers.flatMap((who) => [
      affiliation(USERS.affiliate, PRODUCT[who], { status: 'REQUESTED' }),
      recurringPayment(`pre-of-${who}`, PRODUCT[who]),
      transaction(`of-${who}`, PRODUCT[who]),
      referred(who, 20),
    ]),
    referred('affiliate', 10),
  ]);
});
afterAll(() => service.stop());

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
      const operations = await operationsOf(service, version, matrix.keyOf('vendor'));
      const rows = ROWS.filter((row) => versionOf(row.operation) === version);
      expect([...new Set(rows.map(({ operation }) => operation))].sort()).toEqual(operations);
    },
  );
});

describe.each(ROWS.map((row) => ({ row, address: `${row.operation} as ${row.path('vendor')}` })))(
  '$address',
  ({ row }) => {
    it.each(ACCESSES)('is for %s access what the table says, for its owner', async (access) => {
      expect(await matrix.levelProblems(row, access)).toEqual([]);
    });

    it.each(OWNERS)('is 4010 without a key, whatever it names: of %s', async (whose) => {
      expect(await matrix.keylessProblems(row, whose)).toEqual([]);
    });

    it.each(OWNERS)('is 4030 for a suspended account, whatever it names: of %s', async (whose) => {
      expect(await matrix.suspendedProblems(row, whose)).toEqual([]);
    });
  },
);

describe.each(FEEDS.map((row) => ({ row, operation: row.operation })))('$operation', ({ row }) => {
  it.each(CALLERS)(
    'begins anew for %s where there is no such thing, or none of theirs',
    async (who) => {
      const unknown = await matrix.ask(row, 'nobody', who);
      expectOwnFeed(unknown, row, who);
      for (const { of } of FOREIGN.filter((foreign) => foreign.who === who)) {
        expect(seen(await matrix.ask(row, of, who))).toEqual(seen(unknown));
      }
    },
  );
});

describe.each(NAMING.map((row) => ({ row, operation: row.operation })))('$operation', ({ row }) => {
  it.each(CALLERS)('is 4040 where there is no such thing, for %s', async (who) => {
    expect(await matrix.unknownProblems(row, who)).toEqual([]);
  });

  it.each(FOREIGN)(
    'refuses $who what is of $of, and tells no more than it may',
    async (foreign) => {
      expect(await matrix.foreignProblems(row, foreign)).toEqual([]);
    },
  );
});

describe.each(LISTS.map((row) => ({ row, address: row.path('vendor') })))(
  'GET $address',
  ({ row }) => {
    it.each(CALLERS)('holds what is of %s and nothing of another', async (who) => {
      const shown = envelopeOf(await matrix.ask(row, 'vendor', who)).results.map(contentOf);
      const ids = shown.map(
        ({ transaction_id, product_id, group, tid }) =>
          transaction_id ?? product_id ?? (isRecord(group) ? group.id : tid),
      );
      expect(ids).toEqual(ownList(row, who));
    });
  },
);

describe('a PUT that was refused', () => {
  it.each(['other', 'suspended'] as const)('changes nothing of %s', async (whose) => {
    for (const row of ROWS.filter(({ body }) => body !== undefined)) {
      await matrix.ask(row, whose, 'vendor');
      await matrix.ask(row, whose, 'affiliate');
      await matrix.ask(row, whose, 'suspended');
      await matrix.ask(row, whose);
    }
    await service.import([user(USERS[whose])]);
    const key = matrix.keyOf(whose);
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
