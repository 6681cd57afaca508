import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  checkAll,
  envelopeOf,
  product,
  TestService,
  transaction,
  user,
} from 'vendor-reporting-api-testing';
import rows from './access-rows.js';

const VENDOR = 101;
const PATH = '/extensions/sample-name/v1/sales/SALE-1';

let service: TestService;
let key: string;
before(async () => {
  service = await TestService.start({ extension: '.' });
  await service.import([user(VENDOR), product(1_010, VENDOR), transaction('SALE-1', 1_010)]);
  key = await service.key(VENDOR);
});
after(() => service.stop());

test('saves a text, which the operation and the page show', async () => {
  await service.put(PATH, key, { text: 'Called <b>twice</b>' });
  const { results } = envelopeOf(await service.get(PATH, key));
  assert.equal(results[0]?.text, 'Called <b>twice</b>');
  const page = await service.page('/account/sample-name', VENDOR);
  assert.match(page.text, /Called &lt;b>twice/);
});

test('counts the texts of a vendor', async () => {
  const { stdout } = await service.run('sample-name', ['--vendor', String(VENDOR)]);
  assert.equal(stdout, `Vendor ${VENDOR} has 1 texts.\n`);
});

test('rejects a text that is too long', async () => {
  const { meta } = envelopeOf(await service.put(PATH, key, { text: 'x'.repeat(2_001) }));
  assert.equal(meta.status.code, 4001);
});

test('passes the checks of access, hostile values, statements, masking and erasure', () =>
  checkAll(service, rows));
