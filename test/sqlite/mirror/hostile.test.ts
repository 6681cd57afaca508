/** An upstream whose records are wrong: what is right beside them is taken, and nothing else changes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRecord } from '../../../src/common/validation/is-record.js';
import type { Dump } from '../../support/builders/test-ledger.js';
import {
  BYSTANDER,
  MirroredVendors,
  type Fault,
  type MirroredVendor,
} from '../../support/servers/mirrored-vendors.js';
import { endAll, until } from '../../support/servers/running-service.js';
import { STUB_KEY } from '../../support/servers/stub-upstream.js';
import { LIST, spoilingResult } from '../../support/servers/stub/spoiled.js';

/** On a busy machine: many upstreams are added. */
const SETUP_MS = 300_000;
/** No log may hold any of them; they are in what is sent. */
const VALUES = ['Zebulon', 'zeb@secret.example', '1234567.891', STUB_KEY];
const SECRET_NAME = { first_name: 'Zebulon', last_name: 'Byron', email: 'zeb@secret.example' };
const LONG = 'x'.repeat(300);

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong in a sale of the list, and the problem that is told. */
const listed: readonly (readonly [name: string, changes: unknown, problem: RegExp])[] = [
  [
    'money with three places',
    { amount: 1_234_567.891 },
    /^amount: must be decimal text .+ \(transaction bad-\d+\)$/,
  ],
  ['money with a comma', { amount: '47,00' }, /^amount: must be decimal/],
  ['money with an exponent', { amount: '4e1' }, /^amount: must be decimal/],
  ['money without end', { amount: 1e21 }, /^amount: must be decimal/],
  ['no money', { amount: null }, /^amount: must be given/],
  [
    'a date without offset',
    { sale_date: '2025-06-02T12:00:00' },
    /^sale_date: must be an ISO 8601/,
  ],
  ['a date that is none', { sale_date: '2025-02-30T12:00:00Z' }, /^sale_date: must be/],
  ['a date of zeros', { sale_date: '0000-00-00' }, /^sale_date: must be/],
  ['a date that is a number', { sale_date: 1_748_865_600 }, /^sale_date: must be/],
  ["another vendor's product", { product_id: BYSTANDER.product }, /is another vendor's/],
  ["another vendor's sale", { transaction_id: BYSTANDER.sale }, /is another vendor's/],
  ['a product without id', { product_id: true }, /^product_id: must be/],
  ['an id with a space', { transaction_id: 'a b' }, /^transaction_id: must be/],
  ['an id that is too long', { transaction_id: LONG }, /^transaction_id: must be/],
  ['an id that is an object', { transaction_id: { id: 1 } }, /^transaction_id: must be/],
  ['a sale that is null', null, /./],
  ['a sale that is a number', 7, /./],
  ['a sale that is a list', [], /./],
  ['a sale without fields', {}, /./],
];

const faults = listed.map(([, changes]) => ({ sales: [, bad] }: MirroredVendor): Fault => {
  const isChange = isRecord(changes) && Object.keys(changes).length > 0;
  const change = (sale: Fields) =>
    isChange ? { ...sale, customer: SECRET_NAME, ...changes } : changes;
  return { hook: spoilingResult(LIST, ['transaction_id', bad], change) };
});

let mirrors: MirroredVendors;
let before: Dump;

beforeAll(async () => {
  mirrors = await MirroredVendors.start(faults);
  before = await mirrors.othersRows();
}, SETUP_MS);
afterAll(async () => {
  await mirrors.stop();
  await endAll();
});

function vendor(index: number): MirroredVendor {
  const found = mirrors.vendors[index];
  if (found === undefined) throw new Error(`there is no vendor ${index}`);
  return found;
}

describe('a wrong sale in the list', () => {
  it.each(listed.map(([name, , problem], index) => [name, index, problem] as const))(
    '%s is told, and those beside it are taken',
    async (_, index, problem) => {
      const of = vendor(index);
      const row = await mirrors.untilUpstream(of, ({ last_full }) => last_full !== null);
      const problems = (await mirrors.problemsOf(of)).map(({ text }) => String(text));
      expect(problems).toContainEqual(expect.stringMatching(problem));
      expect(row).toMatchObject({ failures: 0, problem: null });
      const [newest, , oldest] = of.sales;
      expect(await mirrors.salesOf(of)).toEqual([newest, oldest]);
    },
  );

  it('changes nothing of others, and nothing of it is in the log', async () => {
    expect(await mirrors.othersRows()).toEqual(before);
    const warnings = mirrors.service.lines(/Not read from an upstream/);
    expect(warnings.length).toBeGreaterThanOrEqual(listed.length);
    const counts = /transaction not stored: amount['"]: ?1\b/;
    await until('the counts', () => mirrors.service.lines(counts).length > 0);
    const log = mirrors.service.lines(/./).join('\n');
    for (const value of VALUES) expect(log).not.toContain(value);
    for (const { stub } of mirrors.vendors) stub.requests.length = 0;
  });

  it('is told by the command that reads', async () => {
    const { status, told } = await mirrors.run(vendor(0), true);
    expect(status).toBe(1);
    const example = expect.stringMatching(listed[0]?.[2] ?? /^$/) as unknown;
    const kind = 'transaction not stored: amount';
    expect(told).toMatchObject({ problem: null, problems: [{ kind, count: 1, example }] });
  });

  it('is taken by the next full run once it is right', async () => {
    await mirrors.cure();
    for (const of of mirrors.vendors) {
      const isRead = ({ run, wanted, listed: count }: Fields) =>
        run === null && wanted === null && Number(count) === 3;
      await mirrors.untilUpstream(of, isRead);
      expect(await mirrors.problemsOf(of)).toEqual([]);
      expect(await mirrors.salesOf(of)).toEqual(of.sales);
    }
    expect(await mirrors.othersRows()).toEqual(before);
  });
});
