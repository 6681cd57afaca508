/** Questions about a ledger are answered exactly by calling the tools. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/index.js';
import {
  AGREEMENTS,
  CLICKS,
  emailOf,
  lineOf,
  linesOfQuestionedLedger,
  PRODUCT_NAMES,
  type Sale,
  SALES,
  sharesOf,
  text,
} from '../../support/builders/questioned-ledger.js';
import { recurringPayment } from '../../support/builders/ledger-records.js';
import { McpCaller, REVISIONS, type ToolData } from '../../support/http/mcp.js';
import { TestService } from '../../support/servers/service.js';

type Given = Readonly<Record<string, unknown>>;

/** What a tool answered: the results of all pages, and the data of the first. */
interface Found {
  readonly results: ToolData['results'];
  readonly first: ToolData;
}

type Question = readonly [
  question: string,
  tool: string,
  given: Given,
  read: (found: Found) => unknown,
  answer: unknown,
];

let service: TestService;
let callers: readonly McpCaller[];
/** State before the last changes of the ledger. */
let before: unknown;

beforeAll(async () => {
  service = await TestService.start();
  await service.import(linesOfQuestionedLedger());
  const applications = service.app.get(ApiApplicationsService);
  const { application, key } = await applications.createApplication(1, 'Assistant', null);
  await applications.setMcpWrites(application.id, true);
  callers = REVISIONS.map((revision) => new McpCaller(service, key, revision));
  before = (await found('list_transactions', {})).first.cursor;
});
afterAll(() => service.stop());

/** Calls a tool until there are no more pages, in both revisions in turn. */
async function found(tool: string, given: Given): Promise<Found> {
  const pages: ToolData[] = [];
  let next: Given | null = given;
  while (next !== null) {
    const [caller] = callers.slice(pages.length % 2);
    const page = await caller?.data(tool, next);
    if (page === undefined) throw new Error('there is no caller');
    pages.push(page);
    next = afterPage(given, page);
  }
  const [first] = pages;
  if (first === undefined) throw new Error('there is no page');
  return { results: pages.flatMap(({ results = [] }) => results), first };
}

function afterPage(given: Given, page: ToolData): Given | null {
  if (typeof page.next_cursor === 'string') return { ...given, after: page.next_cursor };
  if (page.has_more === true) return { ...given, after: page.cursor };
  return typeof page.next_offset === 'number' ? { ...given, offset: page.next_offset } : null;
}

// These read answers.

const column =
  (name: string) =>
  ({ results }: Found) =>
    results.map((each) => each[name]);
const ids = column('transaction_id');
const fact =
  (name: string) =>
  ({ first }: Found) =>
    first[name];
const total =
  (name: string) =>
  ({ first }: Found) =>
    (first.totals as Given)[name];
const count = ({ results }: Found) => results.length;
const one =
  (name: string) =>
  ({ results }: Found) =>
    results[0]?.[name];

/** Returns the measure of each group, by its id, value or interval. */
const measured =
  (name: string, by: 'id' | 'value' | 'name' | 'interval' = 'id') =>
  ({ results }: Found) =>
    results.map(({ group, interval, measures }) => [
      by === 'interval' ? (interval as Given).start_date : (group as Given)[by],
      (measures as Given)[name],
    ]);
/** Returns the highest group and its measure. */
const best = (name: string) => (answer: Found) => measured(name, 'name')(answer)[0];

// These compute answers from the records.

type Test = (sale: Sale) => boolean;

const isSold: Test = ({ status }) => status !== 'pending';
const between =
  (start: string, end: string): Test =>
  ({ day }) =>
    day >= start && day <= end;
const inMonth =
  (month: string): Test =>
  ({ day }) =>
    day.startsWith(month);
const of =
  <Name extends keyof Sale>(name: Name, value: Sale[Name]): Test =>
  (sale) =>
    sale[name] === value;

function sales(...tests: readonly Test[]): Sale[] {
  return SALES.filter((sale) => tests.every((test) => test(sale)));
}

function sold(...tests: readonly Test[]): Sale[] {
  return sales(isSold, ...tests);
}

function newest(list: readonly Sale[]): string[] {
  return list.toSorted((one, other) => (one.day < other.day ? 1 : -1)).map(({ id }) => id);
}

function sum(list: readonly Sale[], amount = (each: Sale) => each.amount): string {
  return text(list.reduce((all, each) => all + amount(each), 0));
}

/** Returns the sales whose money went back in a range. */
function returned(start: string, end: string, status?: Sale['status']): Sale[] {
  return SALES.filter(
    ({ back: [day] = [''], ...each }) =>
      day >= start && day <= end && (status === undefined || each.status === status),
  );
}

const backOf = ({ back: [, amount] = ['', 0] }: Sale) => amount;
const feeOf = ({ amount, affiliate }: Sale) => sharesOf(amount, affiliate).fee;
const commissionOf = ({ amount, affiliate }: Sale) => sharesOf(amount, affiliate).affiliate;
const earnedOf = ({ amount, affiliate }: Sale) => sharesOf(amount, affiliate).vendor;
const earnedBackOf = (each: Sale) => sharesOf(backOf(each), each.affiliate).vendor;

/** Returns a number for each product that was sold, the highest gross first. */
function byProduct(list: readonly Sale[], value: (own: readonly Sale[]) => unknown) {
  return grouped(list, ({ product }) => product, value);
}

function grouped<Key>(
  list: readonly Sale[],
  key: (sale: Sale) => Key,
  value: (own: readonly Sale[]) => unknown,
): [Key, unknown][] {
  const keys = [...new Set(list.map(key))];
  const gross = (own: readonly Sale[]) => own.reduce((all, { amount }) => all + amount, 0);
  return keys
    .map((each) => ({ each, own: list.filter((sale) => key(sale) === each) }))
    .toSorted((one, other) => gross(other.own) - gross(one.own))
    .map(({ each, own }) => [each, value(own)]);
}

const FIRST_QUARTER = { start_date: '2025-01-01', end_date: '2025-03-31' };
const SECOND_QUARTER = { start_date: '2025-04-01', end_date: '2025-06-30' };
const MARCH = { start_date: '2025-03-01', end_date: '2025-03-31' };
const YEAR = { start_date: '2025-01-01', end_date: '2025-12-31' };
const inFirstQuarter = between('2025-01-01', '2025-03-31');
const inSecondQuarter = between('2025-04-01', '2025-06-30');
const inMarch = inMonth('2025-03');
const inYear = inMonth('2025');
const lengthOf = (list: readonly Sale[]) => list.length;

function rate(part: number, all: number): string {
  return (part / all).toFixed(4);
}

const FIGURES: readonly Question[] = [
  ['How many sales were there in 2025?', 'figures', YEAR, total('sales'), sold(inYear).length],
  ['What was the gross of 2025?', 'figures', YEAR, total('gross'), sum(sold(inYear))],
  ['What was the gross of March?', 'figures', MARCH, total('gross'), sum(sold(inMarch))],
  [
    'What did we earn in the first quarter?',
    'figures',
    FIRST_QUARTER,
    total('seller_earnings'),
    text(
      Number(sum(sold(inFirstQuarter), earnedOf)) -
        Number(sum(returned('2025-01-01', '2025-03-31'), earnedBackOf)),
    ),
  ],
  [
    'How many sales did each product have in the first quarter?',
    'figures',
    { ...FIRST_QUARTER, group_by: 'product' },
    measured('sales'),
    byProduct(sold(inFirstQuarter), lengthOf),
  ],
  [
    'What was the gross of each product in 2025?',
    'figures',
    { ...YEAR, group_by: 'product', measures: 'gross' },
    measured('gross'),
    byProduct(sold(inYear), sum),
  ],
  [
    'Which product sold best in 2025?',
    'figures',
    { ...YEAR, group_by: 'product' },
    best('gross'),
    ['Course', sum(sold(inYear, of('product', 10)))],
  ],
  [
    'Which affiliate was best in March?',
    'figures',
    { ...MARCH, group_by: 'affiliate', affiliate_id: undefined },
    best('gross'),
    ['Lena', sum(sold(inMarch, of('affiliate', 3)))],
  ],
  [
    'How many sales came without an affiliate in 2025?',
    'figures',
    { ...YEAR, group_by: 'affiliate' },
    (found) => measured('sales')(found).find(([id]) => id === null)?.[1],
    sold(inYear, of('affiliate', null)).length,
  ],
  [
    'What was the refund rate of the first quarter?',
    'figures',
    { ...FIRST_QUARTER, measures: 'refund_rate' },
    total('refund_rate'),
    rate(2, sold(inFirstQuarter).length),
  ],
  [
    'What was the refund rate of the sales of the first quarter?',
    'figures',
    { ...FIRST_QUARTER, measures: 'refund_rate', refunds_on: 'sale_date' },
    total('refund_rate'),
    rate(3, sold(inFirstQuarter).length),
  ],
  [
    'How much was refunded in the second quarter?',
    'figures',
    SECOND_QUARTER,
    total('refunded'),
    sum(returned('2025-04-01', '2025-06-30', 'refunded'), backOf),
  ],
  [
    'How many refunds were there in April?',
    'figures',
    { start_date: '2025-04-01', end_date: '2025-04-30' },
    total('refunds'),
    returned('2025-04-01', '2025-04-30').length,
  ],
  [
    'How many chargebacks were there in March?',
    'figures',
    { ...MARCH, measures: 'chargebacks' },
    total('chargebacks'),
    returned('2025-03-01', '2025-03-31', 'charged_back').length,
  ],
  [
    'How much was charged back in 2025?',
    'figures',
    { ...YEAR, measures: 'charged_back' },
    total('charged_back'),
    sum(returned('2025-01-01', '2025-12-31', 'charged_back'), backOf),
  ],
  [
    'What was the chargeback rate of 2025?',
    'figures',
    { ...YEAR, measures: 'chargeback_rate' },
    total('chargeback_rate'),
    rate(1, sold(inYear).length),
  ],
  [
    'What was the average order in March?',
    'figures',
    { ...MARCH, measures: 'average_order' },
    total('average_order'),
    text(Number(sum(sold(inMarch))) / sold(inMarch).length),
  ],
  [
    'What did the service charge in March?',
    'figures',
    { ...MARCH, measures: 'service_fees' },
    total('service_fees'),
    text(
      Number(sum(sold(inMarch), feeOf)) -
        Number(sum(returned('2025-03-01', '2025-03-31'), (each) => backOf(each) / 10)),
    ),
  ],
  [
    'Which commissions did Omar earn in the first quarter?',
    'figures',
    { ...FIRST_QUARTER, affiliate_id: 4, measures: 'affiliate_commissions' },
    total('affiliate_commissions'),
    sum(sold(inFirstQuarter, of('affiliate', 4)), commissionOf),
  ],
  [
    'Which commissions are unpaid?',
    'figures',
    { measures: 'unpaid_commissions' },
    total('unpaid_commissions'),
    sum(sold(of('isOwed', true)), commissionOf),
  ],
  [
    'Which commissions of Lena are unpaid?',
    'figures',
    { measures: 'unpaid_commissions', affiliate_id: 3 },
    total('unpaid_commissions'),
    sum(sold(of('isOwed', true), of('affiliate', 3)), commissionOf),
  ],
  [
    'How many sales are pending?',
    'figures',
    { measures: 'pending' },
    total('pending'),
    sales(of('status', 'pending')).length,
  ],
  [
    'What are the pending sales worth?',
    'figures',
    { measures: 'pending_amount' },
    total('pending_amount'),
    sum(sales(of('status', 'pending'))),
  ],
  [
    'How many clicks did affiliates bring in March?',
    'figures',
    { ...MARCH, measures: 'clicks' },
    total('clicks'),
    CLICKS.reduce((all, { all: each }) => all + each, 0),
  ],
  [
    "What was Lena's conversion rate in March?",
    'figures',
    { ...MARCH, measures: 'conversion_rate', affiliate_id: 3 },
    total('conversion_rate'),
    rate(sold(inMarch, of('affiliate', 3)).length, 20),
  ],
  [
    'What was the gross of each month of the first quarter?',
    'figures',
    { ...FIRST_QUARTER, interval: 'month', measures: 'gross' },
    measured('gross', 'interval'),
    ['2025-01', '2025-02', '2025-03'].map((month) => [`${month}-01`, sum(sold(inMonth(month)))]),
  ],
  [
    'How many sales did each quarter of 2025 have?',
    'figures',
    { ...YEAR, interval: 'quarter' },
    measured('sales', 'interval'),
    ['01', '04', '07', '10'].map((month) => [
      `2025-${month}-01`,
      sold(between(`2025-${month}-01`, `2025-${String(Number(month) + 2).padStart(2, '0')}-31`))
        .length,
    ]),
  ],
  [
    'Which sources did the sales of 2025 come from?',
    'figures',
    { ...YEAR, group_by: 'utm_source' },
    (found) => measured('gross', 'value')(found).filter(([value]) => value !== null),
    grouped(
      sold(inYear, (each) => each.source !== undefined),
      ({ source }) => source,
      sum,
    ),
  ],
  [
    'What was the gross of the tid ad-2?',
    'figures',
    { tid: 'ad-2' },
    total('gross'),
    sum(sold(of('tid', 'ad-2'))),
  ],
  [
    'How many courses did Lena sell in March?',
    'figures',
    { ...MARCH, product_id: 10, affiliate_id: 3 },
    total('sales'),
    sold(inMarch, of('product', 10), of('affiliate', 3)).length,
  ],
  [
    'How did the second quarter compare with the first?',
    'figures',
    { ...SECOND_QUARTER, compare: 'previous_period', measures: 'gross' },
    ({ first }) => [first.totals, first.compared_totals],
    [{ gross: sum(sold(inSecondQuarter)) }, { gross: sum(sold(inFirstQuarter)) }],
  ],
  [
    'Since when are there sales?',
    'figures',
    {},
    ({ first }) => (first.range as Given).start_date,
    '2024-12-31',
  ],
  [
    'How many sales of January came back until the end of February?',
    'cohorts',
    { until: '2025-01' },
    ({ results: [january] }) => (january?.after as Given[])[1]?.transactions,
    1,
  ],
  [
    'How many sales of May came back so far?',
    'cohorts',
    { until: '2025-05', returns: 'refunds' },
    ({ results: [may] }) => [may?.month, (may?.to_date as Given).transactions],
    ['2025-05', 1],
  ],
  [
    'Which part of the gross of February was charged back?',
    'cohorts',
    { until: '2025-02', returns: 'chargebacks' },
    ({ results: [february] }) => (february?.to_date as Given).amount_rate,
    rate(100, Number(sum(sold(inMonth('2025-02'))))),
  ],
  [
    'What is the unit of refund_rate?',
    'figures_catalogue',
    {},
    ({ results: [catalogue] }) =>
      (catalogue?.measures as Given[]).find(({ name }) => name === 'refund_rate')?.unit,
    'rate',
  ],
];

const LISTS: readonly Question[] = [
  [
    'What did Ada buy?',
    'list_transactions',
    { email: emailOf('ADA') },
    ids,
    newest(sales(of('buyer', 'ada'))),
  ],
  [
    'What did Ada buy first?',
    'list_transactions',
    { email: emailOf('ada'), order: 'oldest', limit: 1 },
    ({ first }) => first.results[0]?.transaction_id,
    'S01',
  ],
  [
    'Which sales of March were refunded later or at once?',
    'list_transactions',
    { ...MARCH, date: 'sale', refunded: 'true' },
    ids,
    ['S11', 'S09'],
  ],
  [
    'What came back in March?',
    'list_transactions',
    { ...MARCH, date: 'refund' },
    (found) => ids(found).toSorted(),
    returned('2025-03-01', '2025-03-31')
      .map(({ id }) => id)
      .toSorted(),
  ],
  [
    'Which sales were charged back?',
    'list_transactions',
    { status: 'chargeback' },
    ids,
    newest(sales(of('status', 'charged_back'))),
  ],
  [
    'Which sales are pending?',
    'list_transactions',
    { status: 'pending' },
    ids,
    newest(sales(of('status', 'pending'))),
  ],
  [
    'How many sales have both states, pending and refunded?',
    'list_transactions',
    { status: 'pending,refunded' },
    fact('total_count'),
    sales(({ status }) => status === 'pending' || status === 'refunded').length,
  ],
  [
    'Which sales of memberships did Omar refer?',
    'list_transactions',
    { product_id: 30, affiliate_id: 4 },
    ids,
    newest(sales(of('product', 30), of('affiliate', 4))),
  ],
  [
    'Which payments belong to the subscription PRE-ADA?',
    'list_transactions',
    { pre_key: 'PRE-ADA' },
    ids,
    newest(sales(of('agreement', 'PRE-ADA'))),
  ],
  [
    'Which sales were above 100?',
    'list_transactions',
    { min_amount: '100.01' },
    ids,
    newest(sales(({ amount }) => amount > 100)),
  ],
  [
    'How many sales were between 20 and 50?',
    'list_transactions',
    { min_amount: '20', max_amount: '50', limit: 2 },
    count,
    sales(({ amount }) => amount >= 20 && amount <= 50).length,
  ],
  [
    'Which sales came from google?',
    'list_transactions',
    { utm_source: 'google' },
    ids,
    newest(sales(of('source', 'google'))),
  ],
  ['Which sale has the tid ad-1?', 'list_transactions', { tid: 'ad-1' }, ids, ['S01']],
  ['Is there a sale of the tid AD-1?', 'list_transactions', { tid: 'AD-1' }, count, 0],
  [
    'Which transactions are there, in pages of three?',
    'list_transactions',
    { limit: 3 },
    ids,
    newest(SALES),
  ],
  [
    'Who bought S08, and what was earned with it?',
    'get_transaction',
    { transaction_id: 'S08' },
    ({ results: [sale] }) => [
      (sale?.customer as Given).email,
      (sale?.payouts as Given).seller_earnings,
    ],
    [emailOf('fay'), '60.00'],
  ],
  [
    'When was S09 refunded?',
    'get_transaction',
    { transaction_id: 'S09' },
    ({ results: [sale] }) => (sale?.refund as Given).refund_date,
    '2025-04-01T12:00:00+00:00',
  ],
  [
    'How much has Ada paid?',
    'find_customer',
    { email: emailOf('ada') },
    one('gross'),
    sum(sold(of('buyer', 'ada'))),
  ],
  [
    'How often has Bob bought, and what did he get back?',
    'find_customer',
    { email: emailOf('Bob') },
    ({ results: [customer] }) => [customer?.sales, customer?.refunded],
    [3, '100.00'],
  ],
  [
    'When did Bob buy for the first time?',
    'find_customer',
    { email: emailOf('bob') },
    one('first_sale_date'),
    '2024-12-31T12:00:00+00:00',
  ],
  [
    'Has Jon an active subscription?',
    'find_customer',
    { email: emailOf('jon') },
    one('active_recurring_payments'),
    0,
  ],
  [
    'Which subscriptions are due from 3 to 9 March 2031?',
    'list_recurring_payments',
    { due_after: '2031-03-02', due_before: '2031-03-10' },
    (found) => column('preKey')(found).toSorted(),
    ['PRE-ADA', 'PRE-BOB'],
  ],
  [
    'Which subscriptions were canceled?',
    'list_recurring_payments',
    { status: 'CANCELED' },
    column('preKey'),
    AGREEMENTS.filter(({ status }) => status === 'CANCELED').map(({ key }) => key),
  ],
  [
    'How many subscriptions are active?',
    'list_recurring_payments',
    { status: 'ACTIVE', limit: 1 },
    count,
    AGREEMENTS.filter(({ status }) => status === 'ACTIVE').length,
  ],
  [
    'Which subscription has Dan?',
    'list_recurring_payments',
    { email: emailOf('dan') },
    ({ results }) => results.map(({ preKey, status }) => [preKey, status]),
    [['PRE-DAN', 'COMPLETED']],
  ],
  [
    'Which affiliates are there?',
    'list_affiliates',
    {},
    (found) => column('id')(found).toSorted(),
    [3, 4, 5],
  ],
  [
    'How many sales has each affiliate ever had?',
    'list_affiliates',
    { limit: 2 },
    ({ results }) => results.map(({ id, sales: all }) => [id, all]).toSorted(),
    [3, 4, 5].map((id) => [id, sold(({ affiliate }) => affiliate === id).length]),
  ],
  [
    'When did Lena sell last?',
    'list_affiliates',
    {},
    ({ results }) => results.find(({ id }) => id === 3)?.last_sale_date,
    '2025-07-01T12:00:00+00:00',
  ],
  [
    'Which products are there?',
    'list_products',
    {},
    (found) => column('name')(found).toSorted(),
    [...PRODUCT_NAMES.values()].toSorted(),
  ],
  [
    'Which terms have affiliates?',
    'changes_since',
    { kinds: 'relationship' },
    ({ results }) =>
      results
        .map(({ relationship }) => relationship as Given)
        .map(({ affiliate_id, status }) => [affiliate_id, status])
        .toSorted(),
    [
      [3, 'APPROVED'],
      [5, 'DENIED'],
    ],
  ],
  [
    'Which terms has Lena for the course?',
    'set_affiliate_terms',
    { affiliate_id: 3, product_id: 10, approval_status: 'INSTANT' },
    ({ first }) => (first.present as Given).custom_commission,
    30,
  ],
  [
    'Has Omar terms for the book?',
    'set_affiliate_terms',
    { affiliate_id: 4, product_id: 20, approval_status: 'INSTANT' },
    fact('present'),
    null,
  ],
  [
    'What would be canceled with PRE-ADA?',
    'cancel_recurring_payment',
    { preKey: 'PRE-ADA' },
    ({ first }) => [(first.present as Given).status, (first.present as Given).next_date],
    ['ACTIVE', '2031-03-03T12:00:00+00:00'],
  ],
];

it.each([...FIGURES, ...LISTS])('%s', async (_question, tool, given, read, answer) => {
  expect(read(await found(tool, given))).toEqual(answer);
});

it('What has changed since the last look, and why?', async () => {
  const sold = {
    day: '2025-07-02',
    product: 20,
    affiliate: null,
    amount: 20,
    buyer: 'mia',
  } as const;
  await service.import([
    lineOf({ ...sold, id: 'S21', status: 'completed' }),
    ...SALES.filter(({ id }) => id === 'S15').map((sale) =>
      lineOf({ ...sale, status: 'refunded', back: ['2025-07-03', 100] }),
    ),
    recurringPayment('PRE-BOB', 30, { status: 'CANCELED', next_date: '2031-03-09T12:00:00Z' }),
  ]);
  const { results } = await found('changes_since', { after: before, limit: 2 });
  const changes = results.map(({ transaction, recurring_payment, reasons }) => [
    (transaction as Given | undefined)?.transaction_id ?? (recurring_payment as Given).preKey,
    reasons,
  ]);
  expect(new Map(changes as [string, unknown][])).toEqual(
    new Map<string, unknown>([
      ['S21', ['sold']],
      ['S15', ['refunded']],
      ['PRE-BOB', ['canceled']],
    ]),
  );
});

it('has at least 60 questions', () => {
  expect(FIGURES.length + LISTS.length).toBeGreaterThanOrEqual(60);
});
