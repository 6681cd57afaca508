/** A mirror reads an erased customer's sales again, and stores nothing of the customer. */
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { MIRRORED_ID, MIRRORED_VENDOR } from '../../support/builders/mirrored/parties.js';
import { MirrorUnderTest } from '../../support/servers/mirror-under-test.js';
import { endAll } from '../../support/servers/running-service.js';
import { stubPayment, stubSale } from '../../support/servers/stub/contents.js';
import { STUB_KEY, StubUpstream } from '../../support/servers/stub-upstream.js';
import { dumpOf, tracesIn } from '../../support/sql/person-traces.js';

const EMAIL = 'ada@example.test';
const TRACES = ['ada@', 'byron', '555 0100', '192.0.2.7'];
const FRIEND = {
  email: 'friend@example.test',
  processor_email: 'friend@pay.example',
  first_name: 'Grace',
  last_name: 'Hopper',
  ip: '192.0.2.9',
  phone: '+1 555 0199',
};

const sales = [
  stubSale('of-person', { sold: '2025-01-31T23:59:59Z', pre_key: 'PRE' }),
  stubSale('of-friend', { sold: '2025-02-01T00:00:00Z', customer: FRIEND }),
];
const upstream = new StubUpstream({
  vendor: { id: MIRRORED_ID, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: 10, name: 'Product 10' }],
  sales,
  relationships: [],
  payments: [stubPayment('PRE')],
});

let mirror: MirrorUnderTest | undefined;
afterEach(() => mirror?.stop());
afterAll(async () => {
  upstream.stop();
  await endAll();
});

it('keeps an erased person erased, however often it reads', async () => {
  mirror = await MirrorUnderTest.start(MIRRORED_VENDOR, await upstream.start());
  const { ledger } = mirror;
  await mirror.add(upstream.url, STUB_KEY, 'service=acme,processor=paymenthouse');
  await mirror.run(true);
  expect(tracesIn(await dumpOf(ledger, MIRRORED_ID), TRACES).length).toBeGreaterThan(0);
  const erased = await ledger.cli(['people', 'erase', EMAIL, '--vendor', String(MIRRORED_ID)]);
  expect(erased).toMatchObject({ status: 0, stderr: '' });
  expect(tracesIn(await dumpOf(ledger, MIRRORED_ID), TRACES)).toEqual([]);
  // The stored problem must not quote this value.
  const customer = { ...FRIEND, email: EMAIL };
  const amount = 'Ada "Byron" \\'.repeat(30);
  sales.push(stubSale('faulty', { sold: '2025-02-02T00:00:00Z', customer, amount }));
  await expect(mirror.run(true)).rejects.toThrow('amount: must be decimal text');
  const lines = await dumpOf(ledger, MIRRORED_ID);
  expect(tracesIn(lines, TRACES)).toEqual([]);
  expect(tracesIn(lines, ['friend@example.test'])).not.toEqual([]);
  expect(await ledger.cli(['verify'])).toMatchObject({ status: 0 });
});
