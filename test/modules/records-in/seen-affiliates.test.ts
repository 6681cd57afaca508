/**
 * A vendor sees names from its own source, and names from the operator for affiliates in the
 * operator's records.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  clicks,
  product,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { problemsIn, sendRecords, verdictsIn } from '../../support/http/records.js';
import {
  everywhere,
  seenAffiliate,
  type SeenAffiliate,
} from '../../support/oracles/seen-affiliate.js';
import { answersTo } from '../../support/oracles/seen-by.js';
import { runImport, source } from '../../support/servers/import-run.js';
import { TestService } from '../../support/servers/service.js';

const STAYS = 'is there already and stays as it is; records may refer to this user';
const THEIRS = /theirs/i;
const NOTHING: SeenAffiliate = { display_name: null, name: '', email: '' };

/** A vendor with keys, a source, and a product that has the vendor's id. */
interface Vendor {
  readonly id: number;
  readonly full: string;
  readonly masked: string;
  readonly source: string;
}

let service: TestService;
let own: Vendor;
let other: Vendor;
let affiliate = 100;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2), product(1, 1), product(2, 2)]);
  [own, other] = [await vendorOf(1), await vendorOf(2)];
});
afterAll(() => service.stop());

async function vendorOf(id: number): Promise<Vendor> {
  const [full, masked] = [await service.key(id), await service.key(id, 'masked')];
  return { id, full, masked, source: await service.sourceKey(id) };
}

function said(name: string, display_name: string | null = null) {
  return { name, display_name, email: `${name.toLowerCase()}@example.test` };
}

/** Returns a name of `said` in the form of every answer. */
function shown(name: string, display_name: string | null = null) {
  const { email } = said(name);
  return everywhere({ name: display_name ?? name, display_name, email });
}

function saleOf({ id }: Vendor) {
  return { affiliate_id: affiliate, product_id: id, transaction_id: `S-${affiliate}-${id}` };
}

function sale(vendor: Vendor): object {
  const { transaction_id, affiliate_id } = saleOf(vendor);
  return transaction(transaction_id, vendor.id, { affiliate_id });
}

function newSale({ id }: Vendor): object {
  return transaction(`N-${affiliate}`, id, { affiliate_id: affiliate });
}

function seenBy(vendor: Vendor) {
  return seenAffiliate(service, vendor, saleOf(vendor));
}

function termsPath({ id }: Vendor): string {
  return `/v2.1/affiliates/${affiliate}/products/${id}`;
}

async function setTerms(vendor: Vendor, email: string) {
  const body = { approval_status: 'DENIED', affiliate_verification_email: email };
  const { status, text } = await service.put(termsPath(vendor), vendor.full, body);
  return { status, text };
}

/** Returns the affiliates whose changes are in the vendor's feed after the cursor. */
async function changedSince(cursor: string, { full }: Vendor): Promise<unknown[]> {
  const path = `/ledger/v1/changes?kinds=affiliate&after=${cursor}`;
  const { results } = await service.envelope(path, full);
  return results.map((change) => (change.affiliate as { readonly id: number }).id);
}

async function cursorOf({ full }: Vendor): Promise<string> {
  const { headers } = await service.get('/ledger/v1/transactions.ndjson', full);
  return String(headers['x-ledger-cursor']);
}

/** Returns the paths of the pages and files that show the affiliate. */
function pagesOf(vendor: Vendor): string[] {
  const all = 'range=all-time';
  const one = `/account/affiliates/${affiliate}`;
  const { transaction_id } = saleOf(vendor);
  return [
    `/account/reports?${all}`,
    `/account/reports/cohorts?until=2025-06`,
    `/account/affiliates?${all}`,
    `/account/affiliates.csv?${all}`,
    `${one}?${all}`,
    `${one}/terms?product=${vendor.id}`,
    ...['', '.csv', '.ndjson'].map((type) => `/account/reports/transactions${type}?${all}`),
    `/account/transactions/${transaction_id}`,
  ];
}

describe('an affiliate whom the source of another vendor added', () => {
  beforeEach(async () => {
    affiliate += 1;
    await sendRecords(service, other.source, [
      user(affiliate, said('Theirs', 'Theirs shown')),
      sale(other),
    ]);
    await sendRecords(service, own.source, [sale(own), affiliation(affiliate, own.id)]);
  });

  it('has no name and no e-mail, whatever the vendor sends or sets', async () => {
    expect(await seenBy(own)).toEqual(everywhere(NOTHING));
    expect(await seenBy(other)).toEqual(shown('Theirs', 'Theirs shown'));
    const { status } = await service.put(termsPath(own), own.full, { approval_status: 'INSTANT' });
    expect(status).toBe(200);
    expect(await seenBy(own)).toEqual(everywhere(NOTHING));
  });

  it('is found by its id alone in everything that the vendor can ask for', async () => {
    const { transaction_id } = saleOf(own);
    const answers = await answersTo(
      service,
      own.full,
      {
        transaction_id: [transaction_id],
        paykey: [transaction_id],
        preKey: ['P'],
        affiliate_id: [affiliate],
        product_id: [own.id],
        id: [1],
        token: ['none'],
      },
      { '/v3.0/transactions': ['?start_date=2025-06-01&end_date=2025-06-30'] },
    );
    const telling = [...answers].filter(([, text]) => THEIRS.test(text));
    expect(telling.map(([asked]) => asked)).toEqual([]);
    const visitor = await Visitor.signedIn(service, own.id);
    const ofOther = await Visitor.signedIn(service, other.id);
    for (const [at, path] of pagesOf(own).entries()) {
      const { status, text } = await visitor.get(path);
      expect([path, status, THEIRS.test(text)]).toEqual([path, 200, false]);
      const { text: theirs } = await ofOther.get(pagesOf(other)[at] ?? '');
      expect([path, THEIRS.test(theirs)]).toEqual([path, true]);
    }
    for (const text of ['theirs@example.test', 'Theirs']) {
      const found = await visitor.get(`/account/search?q=${text}`);
      expect([found.status, found.text.includes(transaction_id)]).toEqual([200, false]);
    }
  });

  it('has no e-mail that a vendor could verify', async () => {
    const before = await service.envelope(termsPath(own), own.full);
    const answers = [];
    for (const email of ['theirs@example.test', 'wrong@example.test', '']) {
      const { status, text } = await setTerms(own, email);
      answers.push([status, text.replaceAll(/"request_id":"[^"]*"/g, '')]);
    }
    expect(answers[0]).toEqual([400, expect.stringContaining('4001')]);
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(await service.envelope(termsPath(own), own.full)).toEqual(before);
    expect((await setTerms(other, 'theirs@example.test')).status).toBe(200);
  });

  it('has the name that the own source gives, for this vendor alone', async () => {
    const [ofOwn, ofOther] = [await cursorOf(own), await cursorOf(other)];
    const { etag } = (await service.get('/v2.0/latest-transactions', own.full)).headers;
    const answer = await sendRecords(service, own.source, [user(affiliate, said('Mine'))]);
    expect([verdictsIn(answer), problemsIn(answer)]).toEqual([['unchanged'], [STAYS]]);
    const again = await service.get('/v2.0/latest-transactions', own.full, {
      'If-None-Match': String(etag),
    });
    expect(again.status).toBe(200);
    expect(await seenBy(own)).toEqual(shown('Mine'));
    expect(await seenBy(other)).toEqual(shown('Theirs', 'Theirs shown'));
    expect(await changedSince(ofOwn, own)).toEqual([affiliate]);
    expect(await changedSince(ofOther, other)).toEqual([]);
    expect((await setTerms(own, 'theirs@example.test')).status).toBe(400);
    expect((await setTerms(own, 'MINE@example.test')).status).toBe(200);
    const [seen] = [await cursorOf(own)];
    await sendRecords(service, own.source, [user(affiliate, said('Mine'))]);
    expect(await changedSince(seen, own)).toEqual([]);
  });

  it('has the name of the highest version, whatever comes last', async () => {
    const versions = [3, 2, 3].map((record_version) =>
      user(affiliate, { ...said(`Mine${record_version}`), record_version }),
    );
    const odd = user(affiliate, { ...said('Odd'), record_version: 3 });
    const answer = await sendRecords(service, own.source, [...versions, odd, user(affiliate)]);
    expect(verdictsIn(answer)).toEqual(['unchanged', 'stale', 'unchanged', 'rejected', 'stale']);
    const late = user(affiliate, { ...said('Late'), record_version: 2 });
    expect(verdictsIn(await sendRecords(service, own.source, [late]))).toEqual(['stale']);
    expect(await seenBy(own)).toEqual(shown('Mine3'));
  });

  it('keeps the names of each source if the operator names it, until an operator’s record gives it', async () => {
    await sendRecords(service, own.source, [user(affiliate, said('Mine', 'M'))]);
    const named = user(affiliate, said('Named', 'N'));
    expect(await service.import([named])).toMatchObject({ user: { updated: 1 } });
    expect(await service.import([named])).toMatchObject({ user: { unchanged: 1 } });
    expect(await seenBy(own)).toEqual(shown('Mine', 'M'));
    expect(await seenBy(other)).toEqual(shown('Theirs', 'Theirs shown'));
    const [ofOwn, ofOther] = [await cursorOf(own), await cursorOf(other)];
    await service.import([affiliation(affiliate, own.id), sale(other)]);
    for (const vendor of [own, other]) expect(await seenBy(vendor)).toEqual(shown('Named', 'N'));
    expect(await changedSince(ofOwn, own)).toEqual([affiliate]);
    expect(await changedSince(ofOther, other)).toEqual([affiliate]);
    await sendRecords(service, other.source, [user(affiliate, said('Last'))]);
    await service.import([sale(own), sale(other)]);
    expect(await seenBy(own)).toEqual(shown('Named', 'N'));
    expect(await seenBy(other)).toEqual(shown('Last'));
    expect(await changedSince(await cursorOf(own), own)).toEqual([]);
  });

  it('has the name of the operator whatever version the record of the source had', async () => {
    const theirs = user(affiliate, { ...said('Theirs', 'Theirs shown'), record_version: 7 });
    await sendRecords(service, other.source, [theirs]);
    const named = user(affiliate, { ...said('Named'), record_version: 1 });
    await service.import([named, sale(own), sale(other)]);
    expect(await seenBy(own)).toEqual(shown('Named'));
    expect(await seenBy(other)).toEqual(shown('Named'));
  });
});

describe('an affiliate whom the operator added', () => {
  it('is nobody to a vendor that names it itself, in its terms and in records of its source', async () => {
    affiliate += 1;
    await service.import([user(affiliate, said('Theirs'))]);
    const terms = { approval_status: 'INSTANT' };
    expect((await service.put(termsPath(own), own.full, terms)).status).toBe(200);
    const { results } = await service.envelope(termsPath(own), own.full);
    const records = [sale(own), affiliation(affiliate, own.id), clicks(affiliate, own.id)];
    const sent = await sendRecords(service, own.source, records);
    expect(verdictsIn(sent)).not.toContain('rejected');
    expect(await seenBy(own)).toEqual(everywhere(NOTHING));
    expect(JSON.stringify(results)).not.toMatch(THEIRS);
    const right = await setTerms(own, 'theirs@example.test');
    const wrong = await setTerms(own, 'wrong@example.test');
    expect([right.status, wrong.status]).toEqual([400, 400]);
    const visitor = await Visitor.signedIn(service, own.id);
    for (const path of pagesOf(own)) {
      const { status, text } = await visitor.get(path);
      expect([path, status, THEIRS.test(text)]).toEqual([path, 200, false]);
    }
  });

  it.each([
    ['a sale', sale],
    ['a new sale', newSale],
    ['a relationship', (vendor: Vendor) => affiliation(affiliate, vendor.id)],
    ['a day of clicks', (vendor: Vendor) => clicks(affiliate, vendor.id)],
  ])('is seen once %s of the operator gives it', async (_what, recordOf) => {
    affiliate += 1;
    const records = [affiliation(affiliate, own.id), sale(own)];
    await service.import([user(affiliate, said('Named', 'N'))]);
    await sendRecords(service, own.source, records);
    await sendRecords(service, other.source, [affiliation(affiliate, other.id), sale(other)]);
    const cursor = await cursorOf(own);
    const { etag } = (await service.get('/v2.0/latest-transactions', own.full)).headers;
    const dry = await runImport(service, source([recordOf(own)]), true);
    expect(dry.told).toEqual([]);
    expect(await seenBy(own)).toEqual(everywhere(NOTHING));
    await service.import([recordOf(own)]);
    const again = await service.get('/v2.0/latest-transactions', own.full, {
      'If-None-Match': String(etag),
    });
    expect(again.status).toBe(200);
    expect(await seenBy(own)).toEqual(shown('Named', 'N'));
    expect(await seenBy(other)).toEqual(everywhere(NOTHING));
    expect(await changedSince(cursor, own)).toEqual([affiliate]);
    expect((await setTerms(own, 'named@example.test')).status).toBe(200);
  });

  it('is seen by all, apart from a vendor whose own source says something else', async () => {
    affiliate += 1;
    await service.import([user(affiliate, said('Named', 'N')), sale(own), sale(other)]);
    await sendRecords(service, own.source, [user(affiliate, said('Named', 'N'))]);
    for (const vendor of [own, other]) expect(await seenBy(vendor)).toEqual(shown('Named', 'N'));
    await sendRecords(service, own.source, [user(affiliate, said('Mine', 'M'))]);
    expect(await seenBy(own)).toEqual(shown('Mine', 'M'));
    expect(await seenBy(other)).toEqual(shown('Named', 'N'));
    await service.import([user(affiliate, { ...said('Named', 'N'), status: 'suspended' })]);
    expect(await seenBy(own)).toEqual(shown('Mine', 'M'));
    await service.import([user(affiliate, said('Newer'))]);
    for (const vendor of [own, other]) expect(await seenBy(vendor)).toEqual(shown('Newer'));
  });
});
