/** The account pages of subscriptions. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import {
  OTHER_VENDOR,
  PRODUCT,
  RecurringPayments,
  VENDOR,
} from '../../support/builders/recurring.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { TestProcessor } from '../../support/servers/processor.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';
import { dayText } from '../../../src/platform/pages/ui/day-text.js';
import { daysAfter } from '../../../src/platform/values/time.js';
import { onOneDay } from '../../support/processes/one-day.js';

const PATH = '/account/subscriptions';
/** A path cannot contain this key unencoded. */
const ODD = 'a/b?c#d%2F <é>';

let processor: TestProcessor;
let payments: RecurringPayments;
let ann: Visitor;
beforeAll(async () => {
  processor = await TestProcessor.start();
  payments = await RecurringPayments.start(processor.environment);
});
afterAll(async () => {
  await payments.stop();
  await processor.stop();
});
beforeEach(async () => {
  await payments.restore('PRE', 1);
  await payments.restore('DONE', 2, 'COMPLETED');
  await payments.restore('GONE', 3, 'CANCELED');
  await payments.restore(ODD, 4);
  ann = await Visitor.signedIn(payments.service, VENDOR);
});
afterEach(() => payments.run('DELETE FROM audit_log'));

function pathOf(pre_key: string): string {
  return `${PATH}/${encodeURIComponent(pre_key)}`;
}

/** Returns the beginning of a link to a subscription from a list. */
function linkTo(pre_key: string): string {
  return `<a href="${pathOf(pre_key)}?back=`;
}

/** Returns the keys of the subscriptions that a list links to, in its order. */
function keysIn(text: string): string[] {
  const links = text.matchAll(/<a href="\/account\/subscriptions\/([^"/?]+)(?:\?[^"]*)?">/g);
  return [...links].map(([, key = '']) => decodeURIComponent(key));
}

function canceledBy() {
  return payments.rows(
    "SELECT user_id, application_id FROM audit_log WHERE action = 'recurring_payment.cancel'",
  );
}

describe('the list', () => {
  it('has a tab for each status with its exact count, the active ones first', async () => {
    const { text } = await ann.get(PATH);
    expect(text).toContain(`<a href="${PATH}?list=active" aria-current="page">Active (2)</a>`);
    expect(text).toContain(`<a href="${PATH}?list=canceled">Canceled (1)</a>`);
    expect(text).toContain(`<a href="${PATH}?list=completed">Completed (1)</a>`);
    expect(text).toContain('aria-current="page">Subscriptions</a>');
    for (const shown of [
      'contact@<wbr/>example.<wbr/>test',
      `Product ${PRODUCT}`,
      '47.00',
      '1 of 12',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).toContain(linkTo('PRE'));
    expect(text).not.toContain('GONE');
    expect((await ann.get(`${PATH}?list=canceled`)).text).toContain(linkTo('GONE'));
    expect((await ann.get(`${PATH}?list=completed`)).text).toContain(pathOf('DONE'));
  });

  it('says what is overdue and what is due, by day', () =>
    onOneDay(async (today) => {
      await payments.service.import([
        { ...(await lineOf('PRE')), next_date: `${today}T23:00:00Z`, price: '12345.67' },
      ]);
      const { text } = await ann.get(PATH);
      expect(text).toMatch(/Overdue<\/dt><dd><span class="money">47\.00<\/span>/);
      expect(text).toContain(' new in 30 days, 1 late<');
      expect(text).toMatch(
        /Due in the next 30 days<\/dt><dd><span class="money">12,345\.67<\/span>/,
      );
      const link = `${PATH}?list=active&amp;due=${today}`;
      expect(text).toMatch(
        new RegExp(
          `<a class="bar" href="${link.replaceAll('?', '\\?')}" title="\\d+ \\w+: 1 payment, 12,345\\.67"`,
        ),
      );
      expect(text).toContain(`<a href="${link}">${dayText(today)}</a>`);
      const ofDay = await ann.get(link.replace('&amp;', '&'));
      expect(ofDay.text).toContain(`Payments on ${dayText(today)} (UTC), next payment first</h2>`);
      expect(keysIn(ofDay.text)).toEqual(['PRE']);
      const late = await ann.get(`${PATH}?due=late`);
      expect(keysIn(late.text)).toEqual([ODD]);
      const tab = `<a href="${PATH}?list=active&amp;due=late"`;
      expect(late.text).toContain(`${tab} aria-current="page">Late (1)</a>`);
      expect((await ann.get(`${PATH}?list=canceled`)).text).toContain(`${tab}>Late (1)</a>`);
      // The scale ends with a round number.
      expect(text).toMatch(/aria-hidden="true"><span>20,000<\/span><span>10,000<\/span>/);
      expect(text).toContain('<span class="label">Today</span>');
      expect(late.text).toContain('<span class="badge overdue">late</span>');
      const [, odd = ''] = new RegExp(`href="(${PATH}/[^"]+)"`).exec(late.text) ?? [];
      expect((await ann.get(odd)).text).toContain('<span class="badge overdue">late</span></h1>');
      expect((await ann.get(odd)).text).toContain(
        `<a href="${PATH}?list=active&amp;due=late">Subscriptions</a>`,
      );
      expect(text).toContain(`<a href="${PATH}?list=active&amp;due=late">1 late payment</a>`);
    }));

  it('of a day has pages of its own, in both directions', async () => {
    const keys = Array.from({ length: 60 }, (_, at) => `DAY-${at + 10}`);
    const lineOn = (key: string, next_date: string) =>
      recurringPayment(key, 30, { id: Number(key.slice(4)), next_date });
    await payments.service.import([
      user(3),
      product(30, 3),
      ...keys.map((key) => lineOn(key, '2031-05-02T23:59:59Z')),
      ...['2031-05-01T23:59:59Z', '2031-05-03T00:00:00Z'].map((at, index) =>
        lineOn(`DAY-${index + 80}`, at),
      ),
    ]);
    const vendor = await Visitor.signedIn(payments.service, 3);
    const follow = async (rel: string, text: string) => {
      const [, href = ''] = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text) ?? [];
      return (await vendor.get(href.replaceAll('&amp;', '&'))).text;
    };
    const first = (await vendor.get(`${PATH}?due=2031-05-02`)).text;
    expect(keysIn(first)).toEqual(keys.slice(0, 50));
    const second = await follow('next', first);
    expect(keysIn(second)).toEqual(keys.slice(50));
    expect(second).not.toContain('rel="next"');
    expect(keysIn(await follow('prev', second))).toEqual(keys.slice(0, 50));
    expect(keysIn((await vendor.get(`${PATH}?due=late`)).text)).toEqual([]);
  });

  it('has one with another status in a list of its own, and in nothing that is due', () =>
    onOneDay(async (today) => {
      const before = await ann.get(PATH);
      expect(before.text).not.toContain('list=other');
      const due = { next_date: `${today}T23:00:00Z`, price: '999.00', next_payment: '999.00' };
      const line = { ...(await lineOf('PRE')), ...due };
      await payments.service.import([{ ...line, status: ' Active ' }]);
      expect((await ann.get(PATH)).text).toMatch(
        /Due in the next 30 days<\/dt><dd><span class="money">999\.00/,
      );
      await payments.service.import([{ ...line, status: 'DISABLED' }]);
      const { text } = await ann.get(PATH);
      expect(text).not.toContain('999.00');
      expect(text).toContain('Active (1)');
      expect(text).toContain(`<a href="${PATH}?list=other">Other (1)</a>`);
      expect((await ann.get(`${PATH}?list=other`)).text).toContain(linkTo('PRE'));
      const one = await ann.get(pathOf('PRE'));
      for (const shown of ['DISABLED', 'Next payment, as received', '999.00', 'Cancel this']) {
        expect(one.text).toContain(shown);
      }
      processor.expect([200]);
      await ann.get(`${pathOf('PRE')}/cancel`);
      await ann.post(`${pathOf('PRE')}/cancel`);
      expect(processor.calls).toHaveLength(1);
      expect(await payments.status('PRE')).toBe('CANCELED');
    }));

  it('has an active one without a date last, and due on no day', async () => {
    await payments.service.import([
      recurringPayment(ODD, PRODUCT, {
        id: 4,
        next_date: null,
        last_date: null,
        price: '888.00',
      }),
    ]);
    const { text } = await ann.get(PATH);
    expect(text).toContain('Active (2)');
    expect(text.match(/888\.00/g)).toHaveLength(1);
    expect(text.indexOf(pathOf(ODD))).toBeGreaterThan(text.indexOf(pathOf('PRE')));
    expect((await ann.get(pathOf(ODD))).text).toContain('<dt>Next payment</dt><dd>–<');
  });

  it('shows a vendor no payment of another, and an affiliate none', async () => {
    expect((await ann.get(PATH)).text).not.toContain('FOREIGN');
    const bob = await Visitor.signedIn(payments.service, OTHER_VENDOR);
    const { text } = await bob.get(PATH);
    expect(text).toContain('Active (1)');
    expect(text).toContain('FOREIGN');
  });

  it('says how many are new, within 30 days', () =>
    onOneDay(async (today) => {
      const created = [-30, -29, 0, 1].map((days) => `${daysAfter(today, days)}T00:00:00Z`);
      await payments.service.import([
        user(5),
        product(50, 5),
        ...created.map((at, index) =>
          recurringPayment(`NEW-${index}`, 50, { id: 500 + index, created: at }),
        ),
        recurringPayment('NEW-GONE', 50, {
          id: 510,
          status: 'CANCELED',
          created: `${today}T00:00:00Z`,
        }),
      ]);
      const vendor = await Visitor.signedIn(payments.service, 5);
      expect((await vendor.get(PATH)).text).toContain('4 new in 30 days');
    }));

  it.each([
    '?list=all',
    '?product=Course',
    '?due=soon',
    '?due=2025-02-30',
    '?cursor=first',
    '?list=active&cursor=after-2025-06-01T00:00:00-*',
  ])('answers 400 to %s, which no page links to', async (query) => {
    expect((await ann.get(PATH + query)).status).toBe(400);
  });
});

describe('a filter', () => {
  const others = Array.from({ length: 60 }, (_, at) =>
    recurringPayment(`OTHER-${at}`, 60, { id: 6_000 + at, next_date: '2030-01-01T00:00:00Z' }),
  );
  const own = Array.from({ length: 60 }, (_, at) =>
    recurringPayment(`OWN-${at + 10}`, 61, {
      id: 60_000 + at,
      next_date: at < 55 ? '2030-01-01T00:00:00Z' : null,
      contact_email: at % 30 === 0 ? 'Ada@Example.test' : `c${at}@example.test`,
      status: at === 30 ? 'CANCELED' : 'ACTIVE',
    }),
  );
  const active = own.filter(({ status }) => status === 'ACTIVE').map(({ pre_key }) => pre_key);
  let vendor: Visitor;
  beforeAll(async () => {
    await payments.service.import([user(6), product(60, 6), product(61, 6), ...others, ...own]);
  });
  beforeEach(async () => {
    vendor = await Visitor.signedIn(payments.service, 6);
  });

  it('by product has the order of the list, in both directions, and its number', async () => {
    const first = await vendor.get(`${PATH}?product=61`);
    expect(keysIn(first.text)).toEqual(active.slice(0, 50));
    expect(first.text).toMatch(/<option value="61" selected.*59 subscriptions found\./s);
    expect(first.text).not.toContain('Due in the next 30 days');
    const second = await vendor.get(linkIn(first.text, 'next'));
    expect(keysIn(second.text)).toEqual(active.slice(50));
    expect(second.text).not.toContain('rel="next"');
    const back = await vendor.get(linkIn(second.text, 'prev'));
    expect(keysIn(back.text)).toEqual(active.slice(0, 50));
    expect(back.text).not.toContain('rel="prev"');
    const { text } = await vendor.get(`${PATH}?product=61&list=canceled`);
    expect(text).toContain('1 subscription found.');
  });

  it('by e-mail ignores the case, and goes with a product, a status and days', async () => {
    const found = async (query: string) => keysIn((await vendor.get(PATH + query)).text);
    expect(await found('?email=ADA@example.TEST')).toEqual(['OWN-10']);
    expect(await found('?email=ada@example.test&list=canceled')).toEqual(['OWN-40']);
    expect(await found('?email=ada@example.test&product=61&due=2030-01-01')).toEqual(['OWN-10']);
    expect(await found('?email=ada@example.test&due=2030-01-02')).toEqual([]);
    expect(await found('?email=ada@example.test&product=60')).toEqual([]);
    expect(await found(`?product=${PRODUCT}`)).toEqual([]);
    const { text } = await vendor.get(`${PATH}?email=ada@example.test`);
    expect(text).toContain('1 subscription found.');
    expect(text).toContain(`href="${PATH}?list=active">Clear</a>`);
  });
});

function linkIn(text: string, rel: 'next' | 'prev'): string {
  const [, address = ''] = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text) ?? [];
  return address.replaceAll('&amp;', '&');
}

/** Returns the subscription as a line of the ledger. */
async function lineOf(pre_key: string): Promise<object> {
  const fields = await payments.read(pre_key);
  delete fields.preKey;
  return { type: 'recurring_payment', ...fields, pre_key };
}

describe('one subscription', () => {
  it('shows all fields of 2.0, and its transactions, newest first', async () => {
    await payments.service.import([
      transaction('paid-1', PRODUCT, { pre_key: ODD, sale_date: '2025-05-01T10:00:00Z' }),
      transaction('paid-2', PRODUCT, {
        pre_key: ODD,
        sale_date: '2025-06-01T10:00:00Z',
        customer: { email: 'grace@example.test', first_name: 'Grace', last_name: 'Hopper' },
      }),
      transaction('other-1', PRODUCT, { pre_key: 'PRE' }),
    ]);
    const { status, text } = await ann.get(pathOf(ODD));
    expect(status).toBe(200);
    for (const shown of [
      'contact@example.test',
      'processor@example.test',
      'sender@example.test',
      '192.0.2.1',
      'https://www.example/',
      'a/b?c#d%2F &lt;é>',
      '564.00',
      '20.00',
      '1 of 12',
      '2025-07-01',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text.indexOf('paid-2')).toBeLessThan(text.indexOf('paid-1'));
    expect(text.indexOf('paid-2')).toBeGreaterThan(0);
    expect(text).not.toContain('other-1');
    // The list names the customer of the newest payment, and of no other subscription.
    const [, row = ''] = (await ann.get(PATH)).text.split(linkTo(ODD));
    expect(row).toMatch(/^[^>]*>Grace Hopper<\/a><div class="aside line">contact@/);
    expect(row.split('</tr>')[0]).not.toContain('Ada');
  });

  it('that is late offers to write to the customer, and to cancel once', async () => {
    const { text } = await ann.get(pathOf(ODD));
    expect(text).toContain('<a href="mailto:contact@example.test">Write to the customer</a>');
    expect(text.match(/Cancel this subscription/g)).toHaveLength(1);
  });

  it.each(['FOREIGN', 'nothing', '..%2F', '%00'])(
    "is 404 for %s, another vendor's and an unknown one alike",
    async (key) => {
      for (const path of [`${PATH}/${key}`, `${PATH}/${key}/cancel`]) {
        expect((await ann.get(path)).status).toBe(404);
      }
      await ann.get(PATH);
      expect((await ann.post(`${PATH}/${key}/cancel`)).status).toBe(404);
    },
  );
});

describe('a cancel', () => {
  it('says first what it does, and is then sent, recorded and shown', async () => {
    processor.expect([200]);
    expect((await ann.get(pathOf('PRE'))).text).toContain(
      `<a class="button danger" href="${pathOf('PRE')}/cancel">`,
    );
    const asked = await ann.get(`${pathOf('PRE')}/cancel`);
    for (const said of ['not charged again', 'stays paid', 'cannot be undone']) {
      expect(asked.text).toContain(said);
    }
    expect(await payments.status('PRE')).toBe('ACTIVE');
    const done = await ann.follow(await ann.post(`${pathOf('PRE')}/cancel`));
    expect(done.text).toContain('The subscription was canceled.');
    expect(done.text).not.toContain('Cancel this subscription');
    expect(processor.calls).toHaveLength(1);
    expect(await payments.status('PRE')).toBe('CANCELED');
    expect(await canceledBy()).toEqual([{ user_id: VENDOR, application_id: 0 }]);
    const [at] = await payments.rows('SELECT created FROM audit_log');
    const day = String(at?.created).slice(0, 10);
    expect(done.text).toContain(`<dt>Canceled</dt><dd>${dayText(day)}<`);
    expect(done.text).not.toContain('<dt>Next payment</dt>');
    const { text } = await ann.get(`${PATH}?list=canceled`);
    expect(text).toContain('Canceled (2)');
    expect(text).toContain('Active (1)');
  });

  it('that the processor refuses is 402 with the reason, and nothing is changed', async () => {
    processor.expect([409]);
    await ann.get(`${pathOf('PRE')}/cancel`);
    const { status, text } = await ann.post(`${pathOf('PRE')}/cancel`);
    expect(status).toBe(402);
    expect(text).toContain('The payment processor did not take the cancel');
    expect(await payments.status('PRE')).toBe('ACTIVE');
    expect(await canceledBy()).toEqual([]);
    expect((await ann.get(PATH)).text).toContain('Active (2)');
  });

  it('of a completed one is not offered, and says so if it is sent', async () => {
    expect((await ann.get(pathOf('DONE'))).text).not.toContain('Cancel this subscription');
    const asked = await ann.get(`${pathOf('DONE')}/cancel`);
    expect(asked.headers.location).toBe(pathOf('DONE'));
    await ann.get(pathOf('PRE'));
    const { status, text } = await ann.post(`${pathOf('DONE')}/cancel`);
    expect(status).toBe(402);
    expect(text).toContain('This subscription is completed');
    expect(await payments.status('DONE')).toBe('COMPLETED');
  });

  it('needs the token of its form, and the password if it was entered long ago', async () => {
    await ann.get(`${pathOf('PRE')}/cancel`);
    const forged = await ann.post(`${pathOf('PRE')}/cancel`, { csrf_token: 'forged' });
    expect(forged.status).toBe(403);
    const ledger = TestLedger.on(payments.service.database);
    await ageSessionsOf(VENDOR, 11, ledger);
    await ledger.close();
    const asked = await ann.post(`${pathOf('PRE')}/cancel`);
    expect(asked.text).toContain('Enter your password');
    expect(await payments.status('PRE')).toBe('ACTIVE');
    processor.expect([200]);
    const done = await ann.post(`${pathOf('PRE')}/cancel`, { password: PASSWORD });
    expect(done.headers.location).toBe(`${pathOf('PRE')}?done=canceled`);
    expect(await payments.status('PRE')).toBe('CANCELED');
  });
});

/** This block comes last, because the lists above count all other subscriptions. */
describe.each(['.', '..'])('a key that no path can have, %s', (key) => {
  it('has a page and can be canceled, under an address of its own', async () => {
    await payments.restore(key, 4 + key.length);
    await payments.restore('key', 7, 'COMPLETED');
    const path = `${PATH}/key?key=${key}`;
    expect((await ann.get(PATH)).text).toContain(`<a href="${path}&amp;back=`);
    const { text } = await ann.get(path);
    expect(text).toContain(`<output id="subscription-key">${key}</output>`);
    expect(text).toContain(`href="${PATH}/key/cancel?key=${key}"`);
    processor.expect([200]);
    await ann.get(`${PATH}/key/cancel?key=${key}`);
    const done = await ann.follow(await ann.post(`${PATH}/key/cancel?key=${key}`));
    expect(done.text).toContain('The subscription was canceled.');
    expect(done.text).toContain(`<output id="subscription-key">${key}</output>`);
    expect((await ann.get(`${PATH}/key`)).text).toContain(
      '<output id="subscription-key">key</output>',
    );
  });
});
