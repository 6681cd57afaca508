/** The form for the affiliate terms on an account page, which does the PUT of API 2.1. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shownFigures } from '../../support/browser/report-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  product,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { daysAfter, todayInUtc } from '../../../src/platform/values/time.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, OTHER, AFFILIATE, PRODUCT, SECOND, FOREIGN] = [1, 2, 7, 12, 13, 22];
const PATH = `/account/affiliates/${AFFILIATE}/terms`;
const FIELDS = {
  product: String(PRODUCT),
  approval_status: 'DELAYED',
  custom_commission: '45',
  custom_sales_page_url: 'https://shop.example/lena',
  affiliate_verification_email: '',
  custom_payment_1st_payout: '20',
  custom_payment_trial_payout: '',
};

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start({ CURRENCY: '€' });
  await service.import([
    user(VENDOR),
    user(OTHER),
    user(AFFILIATE, { display_name: 'Lena' }),
    product(PRODUCT, VENDOR),
    product(SECOND, VENDOR),
    product(FOREIGN, OTHER),
    affiliation(AFFILIATE, PRODUCT, { custom_payment_trial_payout: 5, comments: 'Please.' }),
  ]);
  ledger = TestLedger.on(service.database);
  ann = await Visitor.signedIn(service, VENDOR);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const stored = (product_id = PRODUCT) =>
  ledger.rows(`SELECT * FROM affiliations WHERE product_id = ${product_id}`);
const audited = () => ledger.rows("SELECT * FROM audit_log WHERE action = 'affiliation.set'");

describe('the form of the terms', () => {
  it('has the stored terms', async () => {
    const { text } = await ann.get(`${PATH}?product=${PRODUCT}`);
    expect(text).toContain('Terms of Lena for Product 12');
    expect(text).toMatch(/name="custom_payment_trial_payout"[^>]*value="5"/);
    expect(text).toMatch(/<details class="field" open><summary>Payouts and sales page/);
    expect(text).toMatch(/value="INSTANT" checked/);
    expect(text).toMatch(
      /<strong>Now:<\/strong> the product’s default commission, paid at once, since \d/,
    );
  });

  it('says what the newest sale with the commission of the product earned', async () => {
    const sold = (id: string, days: number, affiliate_payout: string, more: object = {}) =>
      transaction(id, PRODUCT, {
        affiliate_id: AFFILIATE,
        amount: '100.00',
        sale_date: `${daysAfter(todayInUtc(), -days)}T00:00:00Z`,
        payouts: {
          affiliate_payout,
          seller_earnings: '50.00',
          agent_payout: '0.00',
          jv_payout: '0.00',
          service_fee: '5.00',
        },
        ...more,
      });
    await service.import([sold('old', 400, '30.00')]);
    const before = await ann.get(`${PATH}?product=${PRODUCT}`);
    expect(before.text).not.toContain('last sale');
    await service.import([
      sold('last', 3, '45.00'),
      sold('pending', 2, '46.00', { status: 'pending' }),
      sold('of-another', 2, '47.00', { affiliate_id: null }),
    ]);
    const { text } = await ann.get(`${PATH}?product=${PRODUCT}`);
    const [, said = ''] = /<strong>Now:<\/strong>(.*?)<\/p>/.exec(text) ?? [];
    expect(said.replaceAll(/<[^>]+>/g, '')).toMatch(
      /^ the product’s default commission \(last sale: €45\.00 of €100\.00, 45\.0%\), paid at once, since \d/,
    );
    expect(text).toContain('Leave empty for the product’s default (45.0% of the last sale).');
    const affiliate = await ann.get(PATH.replace('/terms', ''));
    expect(affiliate.text).toContain(
      'product default<div class="aside line">45.0% of the last sale',
    );
  });

  it('sets the relationship like the PUT, with an entry in the audit log', async () => {
    const page = await ann.follow(await ann.post(PATH, FIELDS));
    expect(page.text).toContain('The terms were saved.');
    expect(page.text).toMatch(/name="custom_commission"[^>]*value="45"/);
    expect(page.text).toMatch(
      /45% commission, paid after the hold, <span[^>]*>€20<\/span> for the first payment, since \d/,
    );
    expect(await stored()).toEqual([
      expect.objectContaining({
        status: 'APPROVED',
        delayed_commission: 1,
        custom_commission: 45,
        custom_sales_page_url: FIELDS.custom_sales_page_url,
        comments: 'Please.',
        custom_payment_1st_payout: 20,
        custom_payment_trial_payout: null,
      }),
    ]);
    expect(await audited()).toEqual([
      expect.objectContaining({
        user_id: VENDOR,
        application_id: 0,
        action: 'affiliation.set',
        subject: `affiliate ${AFFILIATE}, product ${PRODUCT}`,
      }),
    ]);
    const { text } = await ann.get(`/account/affiliates/${AFFILIATE}`);
    expect(text).toContain('<span class="money">€20</span>');
    // A column without any value is left out.
    expect(text).toContain('>First payout</th>');
    expect(text).not.toContain('>Trial payout</th>');
    // A second submission changes nothing.
    await ann.follow(await ann.post(PATH, FIELDS));
    expect(await audited()).toHaveLength(1);
  });

  it('adds a relationship to another product', async () => {
    const { text } = await ann.get(`${PATH}?product=${SECOND}`);
    expect(text).toContain('They have no relationship yet.');
    expect(text).toMatch(/<details class="field"><summary>Payouts and sales page/);
    expect(text).toMatch(/<a [^>]*href="\/account\/affiliates\/\d+">Cancel</);
    const fields = { product: String(SECOND), approval_status: 'DENIED' };
    expect((await ann.post(PATH, fields)).status).toBe(303);
    expect(await stored(SECOND)).toEqual([expect.objectContaining({ status: 'DENIED' })]);
  });

  it.each([
    ['approval_status', 'REQUESTED', 'Choose one of these.'],
    ['custom_commission', '101', 'It must be an integer from 0 to 100.'],
    ['custom_commission', '1.5', 'It must be an integer from 0 to 100.'],
    ['custom_payment_1st_payout', '-1', 'It must be an integer from 0 to'],
    ['custom_payment_trial_payout', 'x', 'It must be an integer from 0 to'],
    ['custom_sales_page_url', 'ftp://x.example', 'It must be an http or https URL of at most'],
    ['affiliate_verification_email', 'no@one.test', "It must be the affiliate's e-mail."],
  ])('refuses %s %j and keeps what was entered', async (name, value, problem) => {
    const before = await stored();
    const answer = await ann.post(PATH, { ...FIELDS, [name]: value });
    expect(answer.status).toBe(400);
    expect(answer.text.replaceAll('&#39;', "'")).toContain(problem);
    expect(answer.text).toMatch(new RegExp(`id="field-${name}-problem"`));
    const [other, kept] =
      name === 'custom_commission'
        ? ['custom_payment_1st_payout', '20']
        : ['custom_commission', '45'];
    expect(answer.text).toMatch(new RegExp(`name="${other}"[^>]*value="${kept}"`));
    expect(await stored()).toEqual(before);
  });

  it('takes the e-mail of the affiliate, in any case', async () => {
    const email = `USER${AFFILIATE}@example.test`;
    const answer = await ann.post(PATH, { ...FIELDS, affiliate_verification_email: email });
    expect(answer.status).toBe(303);
  });

  it('refuses the product of another vendor, an unknown product and a forged form', async () => {
    expect((await ann.post(PATH, { ...FIELDS, product: String(FOREIGN) })).status).toBe(403);
    expect((await ann.post(PATH, { ...FIELDS, product: '999' })).status).toBe(404);
    expect((await ann.post(PATH, { ...FIELDS, product: '' })).status).toBe(404);
    expect((await ann.post(PATH, { ...FIELDS, csrf_token: 'forged' })).status).toBe(403);
  });

  it('tells if the service that the ledger mirrors did not take the change', async () => {
    const upstream = {
      url: 'https://localhost/up',
      key: 'vra_the_key',
      every: '10',
      unchecked: 'on',
    };
    await ann.get('/account/upstream');
    expect((await ann.post('/account/upstream', upstream)).status).toBe(303);
    const before = await stored();
    const answer = await ann.post(PATH, { ...FIELDS, custom_commission: '46' });
    expect(answer.status).toBe(402);
    expect(answer.text).toContain('The service that this ledger mirrors');
    expect(answer.text).toMatch(/name="custom_commission"[^>]*value="46"/);
    expect(await stored()).toEqual(before);
    await ledger.run('DELETE FROM upstreams');
  });
});

describe('the figures of the affiliate', () => {
  it('say what was taken off the commission, and that a refund may be of an earlier sale', async () => {
    await service.import([
      transaction('back', PRODUCT, {
        affiliate_id: AFFILIATE,
        sale_date: '2024-05-20T00:00:00Z',
        status: 'refunded',
        refund: refund('2024-06-05T00:00:00Z'),
      }),
    ]);
    const figuresBy = async (refunds: string) => {
      const days = `from=2024-06-01&to=2024-06-30&refunds=${refunds}`;
      return shownFigures((await ann.get(`/account/affiliates/${AFFILIATE}?${days}`)).text);
    };
    const byRefund = await figuresBy('refund');
    expect(byRefund.Commission).toMatch(/ after 1 refund(?! and)/);
    expect(byRefund['Refund rate']).toContain(' 1 refund, 0 chargebacks, also of earlier sales');
    const bySale = await figuresBy('sale');
    expect(bySale.Commission).toContain(' after refunds');
    expect(bySale['Refund rate']).not.toContain('earlier');
  });
});
