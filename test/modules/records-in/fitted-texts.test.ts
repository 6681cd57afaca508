import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { problemsIn, sendRecords } from '../../support/http/records.js';
import { TestService } from '../../support/servers/service.js';
import { problemsOf, TestLedger } from '../../support/builders/test-ledger.js';

type Changes = Readonly<Record<string, unknown>>;

const CUSTOMER = { email: 'c@example.test', first_name: 'Ada', last_name: 'Byron' };
const DIRTY = 'A\u0000B';
const WITHOUT_CONTROLS = 'stored without its control characters';

/** A sale with texts that break their rules, all reported problems, and the stored values. */
const CASES: readonly (readonly [string, Changes, readonly string[], object])[] = [
  [
    'names and contacts of the customer',
    {
      product_name: `Product${DIRTY}`,
      customer: {
        ...CUSTOMER,
        first_name: DIRTY,
        last_name: '\ud83d',
        ip: '\u007f',
        phone: '1\t2',
      },
    },
    [
      `product_name: ${WITHOUT_CONTROLS}`,
      `customer.first_name: ${WITHOUT_CONTROLS}`,
      'customer.last_name: stored without its unpaired surrogates',
      `customer.ip: ${WITHOUT_CONTROLS}`,
      `customer.phone: ${WITHOUT_CONTROLS}`,
    ],
    {
      product_name: 'ProductAB',
      customer_email: 'c@example.test',
      customer_first_name: 'AB',
      customer_last_name: '',
      customer_ip: '',
      customer_phone: '12',
    },
  ],
  [
    'names that are too long',
    {
      customer: {
        ...CUSTOMER,
        first_name: '🦊'.repeat(300),
        last_name: `${'x'.repeat(255)}\u0001`,
      },
    },
    ['customer.first_name: cut to 255 characters', `customer.last_name: ${WITHOUT_CONTROLS}`],
    { customer_first_name: '🦊'.repeat(255), customer_last_name: 'x'.repeat(255) },
  ],
  [
    'e-mails',
    { customer: { ...CUSTOMER, email: `${DIRTY}@example.test`, processor_email: 'x'.repeat(256) } },
    [
      'customer.email: left empty, because it must be text without control characters',
      'customer.processor_email: left empty, because it must be at most 255 characters long',
    ],
    { customer_email: '', customer_processor_email: null },
  ],
  [
    'tracking values and the lines of other_params',
    { tracking: { tid: 'x'.repeat(2_049), vtid: 'a\nb', other_params: '\u0007a\tb\r\nc' } },
    [
      `tracking.vtid: ${WITHOUT_CONTROLS}`,
      'tracking.tid: cut to 2,048 characters',
      `tracking.other_params: ${WITHOUT_CONTROLS}`,
    ],
    { tid: 'x'.repeat(2_048), vtid: 'ab', other_params: 'a\tb\r\nc' },
  ],
  [
    'delivery',
    { delivery: { city: DIRTY, region: 'x'.repeat(256) } },
    [`delivery.city: ${WITHOUT_CONTROLS}`, 'delivery.region: cut to 255 characters'],
    { delivery_city: 'AB', delivery_region: 'x'.repeat(255) },
  ],
  [
    'more than can be shown',
    {
      payout_items: Array.from({ length: 3 }, () =>
        payoutItem(1, {
          payee_name: DIRTY,
          payout_type: '\n',
          payment_processor: 'x'.repeat(256),
          payout_status: '\u0000',
        }),
      ),
    },
    [
      ...[0, 1].flatMap((index) => [
        `payout_items[${index}].payee_name: ${WITHOUT_CONTROLS}`,
        `payout_items[${index}].payout_type: ${WITHOUT_CONTROLS}`,
        `payout_items[${index}].payment_processor: cut to 255 characters`,
        `payout_items[${index}].payout_status: ${WITHOUT_CONTROLS}`,
      ]),
      `payout_items[2].payee_name: ${WITHOUT_CONTROLS}`,
      `payout_items[2].payout_type: ${WITHOUT_CONTROLS}`,
      'and 2 more changes',
    ],
    {},
  ],
];
const RECORDS = CASES.map(([, changes], index) => transaction(`T${index}`, 10, changes));

let service: TestService;
let ledger: TestLedger;
let source: string;

beforeAll(async () => {
  service = await TestService.start();
  ledger = TestLedger.on(service.database);
  source = await ledger.sourceKey();
  await ledger.mustImport([user(1), product(10, 1), recurringPayment('PRE', 10)]);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

describe('A sale with texts that cannot be stored', () => {
  beforeAll(async () => {
    await ledger.mustImport(RECORDS);
  });

  it.each(CASES)(
    'is stored with a warning about each of them (%s)',
    async (name, _c, warnings, stored) => {
      const index = CASES.findIndex((one) => one[0] === name);
      const again = await ledger.mustImport([RECORDS[index] ?? {}]);
      expect(problemsOf(again).get(1)).toBe(
        `warning: ${warnings.join('; ')} (transaction T${index})`,
      );
      expect(again.stdout).toMatch(/^transaction .*1 unchanged, 0 rejected, 1 warnings?$/m);
      const [row] = await ledger.rows(
        `SELECT * FROM transactions WHERE transaction_id = 'T${index}'`,
      );
      expect(row).toMatchObject(stored);
    },
  );

  it('is stored when it is sent over HTTP, and its problem is the warning', async () => {
    const sent = { ...RECORDS[4], transaction_id: 'sent' };
    const answer = await sendRecords(service, source, [sent, transaction('fine', 10)]);
    expect(problemsIn(answer)).toEqual([CASES[4]?.[2].join('; '), null]);
  });

  it('is not reported if a newer version is stored', async () => {
    const versioned = (record_version: number, first_name: string) =>
      transaction('versioned', 10, { record_version, customer: { ...CUSTOMER, first_name } });
    const result = await ledger.mustImport([versioned(2, 'Ada'), versioned(1, DIRTY)]);
    expect(result.stderr).toBe('');
  });
});

describe('A text that is stored already', () => {
  it('stays as it is, although it breaks the rule of today', async () => {
    const sale = (phone: string) =>
      transaction('old', 10, {
        customer: { ...CUSTOMER, phone, first_name: DIRTY, email: `${DIRTY}@example.test` },
        tracking: { tid: 'y'.repeat(3_000) },
        payout_items: [payoutItem(1, { payee_name: DIRTY })],
      });
    const plain = { customer: CUSTOMER, payout_items: [payoutItem(1)] };
    await ledger.mustImport([transaction('old', 10, plain)]);
    const dirty = "CONCAT('A', CHAR(0), 'B')";
    await ledger.run(
      `UPDATE transactions SET customer_first_name = ${dirty}, tid = '${'y'.repeat(3_000)}',
        customer_email = CONCAT(${dirty}, '@example.test') WHERE transaction_id = 'old'`,
    );
    await ledger.run(
      `UPDATE payout_items SET payee_name = ${dirty} WHERE arrival =
        (SELECT arrival FROM transactions WHERE transaction_id = 'old')`,
    );
    const changed = await ledger.mustImport([sale('5')]);
    expect(changed.stderr).toBe('');
    const [row] = await ledger.rows("SELECT * FROM transactions WHERE transaction_id = 'old'");
    expect(row).toMatchObject({
      customer_first_name: DIRTY,
      customer_email: `${DIRTY}@example.test`,
      customer_phone: '5',
      tid: 'y'.repeat(3_000),
    });
    expect(
      await ledger.rows(`SELECT payee_name FROM payout_items WHERE payee_name = ${dirty}`),
    ).toHaveLength(1);
  });
});

describe('A pre_key with a control character', () => {
  it('rejects the sale, unless it is stored already', async () => {
    const [known, dirty] = [transaction('agreed', 10, { pre_key: 'PRE' }), 'PRE\u0000'];
    await ledger.mustImport([known]);
    const again = transaction('agreed', 10, { pre_key: dirty });
    expect(problemsOf(await ledger.import([again])).get(1)).toBe(
      'pre_key: must be text without control characters, not "PRE\\u0000" (transaction agreed)',
    );
    for (const [table, where] of [
      ['transactions', "transaction_id = 'agreed'"],
      ['recurring_payments', "pre_key = 'PRE'"],
    ] as const) {
      await ledger.run(`UPDATE ${table} SET pre_key = CONCAT('PRE', CHAR(0)) WHERE ${where}`);
    }
    expect((await ledger.mustImport([again])).stderr).toBe('');
  });
});
