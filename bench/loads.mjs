// Makes the requests to each target. A load is { name, key, targets: { TARGET: (slot) => paths } }.
// Each round is a slot, and the warm-up is another; slots do not share requests if that matters.
import {
  AFFILIATES,
  BIG_VENDOR,
  BIG_VENDOR_PRODUCTS,
  BUSY_DAY,
  FIRST_AFFILIATE,
  FIRST_DAY,
  LAST_DAY,
  productOf,
  seededRandom,
} from './ledger.mjs';

const DAY_MS = 86_400_000;
const DAYS = 1 + (Date.parse(LAST_DAY) - Date.parse(FIRST_DAY)) / DAY_MS;
const MONTH = 30;
const PAGE = 50;
// A month has too few pages of 50 for a round; these sizes give enough pages.
const SIZES = Array.from({ length: 61 }, (_, index) => 20 + index);
// No target answers so many requests per second on one core.
const MOST_A_SECOND = 8000;
const SINGLE_IDS = 4000;

export const LOAD_NAMES = [
  'day-first',
  'month-first',
  'two-years-first',
  'two-years-last',
  'random-month',
  'random-two-years',
  'busy-day',
  'same-page',
  'not-modified',
  'single',
  'feed',
  'statistics',
  'big-vendor-month',
  'small-vendor-month',
];

/** @param {number} slots the number of rounds, plus the warm-up */
export async function makeLoads({ database, seconds, slots }) {
  const sales = await salesADay(database);
  const sold = await database.select(
    `SELECT transaction_id, sale_date FROM bench.transactions WHERE vendor_id = ?
     ORDER BY transaction_id LIMIT ${SINGLE_IDS}`,
    [BIG_VENDOR],
  );
  const total = sales.reduce((sum, count) => sum + count, 0);
  const need = seconds * MOST_A_SECOND;
  const days = (slot) => every(37, slot).map((day) => [day, day]);
  const months = (slot) => every(29, slot, DAYS - MONTH).map((day) => [day, day + MONTH - 1]);
  const whole = [[0, DAYS - 1]];
  const lastPage = Math.ceil(total / PAGE) - 1;
  const pagesOf = random({ sales, need, slots });
  const middle = [[350, 350 + MONTH - 1]];

  const first = (name, ranges) => load(name, floorAt(ranges), listOf(ranges), 'uncached');
  const ids = (slot) => sold.map(([id]) => id).filter((_, index) => index % slots === slot);
  const statistics = () => affiliateProducts();
  return [
    first('day-first', days),
    first('month-first', months),
    first('two-years-first', () => whole),
    load(
      'two-years-last',
      () => [`/page?vendor=${BIG_VENDOR}&at=${dayAt(0)}%2012:00:00`],
      () => [listPath(whole[0], PAGE, lastPage)],
      'uncached',
    ),
    load('random-month', floorAtRandom(need, MONTH), pagesOf(MONTH), 'service'),
    load('random-two-years', floorAtRandom(need, DAYS), pagesOf(DAYS), 'service'),
    await busyDay(database),
    load(
      'same-page',
      floorAt(() => middle),
      listOf(() => middle),
      'service',
    ),
    {
      ...load(
        'not-modified',
        floorAt(() => middle),
        listOf(() => middle),
        'service',
      ),
      conditional: true,
    },
    withNest(
      load(
        'single',
        (slot) => ids(slot).map((id) => `/single?id=${id}`),
        (slot) => ids(slot).map((id) => `/v3.0/transactions/${id}`),
        'service',
      ),
    ),
    load(
      'feed',
      () => sold.map(([, at]) => `/feed?vendor=${BIG_VENDOR}&at=${encodeURIComponent(at)}`),
      () => sold.map(([id]) => `/v2.0/latest-transactions/${id}`),
      'service',
    ),
    load(
      'statistics',
      () => statistics().map(([who, what]) => `/statistics?affiliate=${who}&product=${what}`),
      () => statistics().map(([who, what]) => `/v2.1/affiliatestats/${who}/products/${what}`),
      'service',
    ),
    { name: 'big-vendor-month', key: 'big', targets: { uncached: listOf(months) } },
    { name: 'small-vendor-month', key: 'small', targets: { uncached: listOf(months) } },
  ];
}

/** Reads page after page of the day with the most sales. */
async function busyDay(database) {
  const rows = await database.select(
    `SELECT sale_date FROM bench.transactions
     WHERE vendor_id = ? AND sale_date BETWEEN ? AND ? ORDER BY sale_date DESC, arrival DESC`,
    [BIG_VENDOR, `${BUSY_DAY} 00:00:00`, `${BUSY_DAY} 23:59:59`],
  );
  const day = (Date.parse(BUSY_DAY) - Date.parse(FIRST_DAY)) / DAY_MS;
  const starts = rows.filter((_, index) => index % PAGE === 0);
  return load(
    'busy-day',
    () => starts.map(([at]) => `/page?vendor=${BIG_VENDOR}&at=${encodeURIComponent(at)}`),
    () => starts.map((_, index) => listPath([day, day], PAGE, index)),
    'uncached',
  );
}

function load(name, floor, list, service) {
  return { name, key: 'big', targets: { floor, naive: list, [service]: list } };
}

/** Adds the route of Nest, with the paths of the floor. */
function withNest(floored) {
  return { ...floored, targets: { ...floored.targets, nest: floored.targets.floor } };
}

export const listPath = ([from, to], size = PAGE, index = 0) =>
  `/v3.0/transactions?start_date=${dayAt(from)}&end_date=${dayAt(to)}` +
  `&page_size=${size}&page_index=${index}`;

function listOf(ranges) {
  return (slot) => ranges(slot).map((range) => listPath(range));
}

function floorAt(ranges) {
  return (slot) =>
    ranges(slot).map(([, to]) => `/page?vendor=${BIG_VENDOR}&at=${dayAt(to)}%2023:59:59`);
}

/**
 * Returns random date-times within random ranges of `length` days. The page of the floor starts
 * there, and skips no rows.
 */
function floorAtRandom(need, length) {
  return (slot) => {
    const next = seededRandom(slot + 1);
    return Array.from({ length: need }, () => {
      const from = Math.floor(next() * (DAYS - length + 1));
      const at = new Date(Date.parse(FIRST_DAY) + (from + next() * length) * DAY_MS);
      const moment = at.toISOString().slice(0, 19).replace('T', '%20');
      return `/page?vendor=${BIG_VENDOR}&at=${moment}`;
    });
  };
}

/**
 * Returns random pages of all ranges of `length` days. No page occurs twice, in this slot or
 * another.
 */
function random({ sales, need, slots }) {
  const before = sumsBefore(sales);
  return (length) => (slot) => {
    const next = seededRandom(1000 + slot);
    const whole = (below) => Math.floor(next() * below);
    const paths = new Set();
    // A short ledger may have fewer pages; the load then reports it.
    for (let tried = 0; paths.size < need && tried < need * 4; tried += 1) {
      const from = whole(DAYS - length + 1);
      const to = from + length - 1;
      const size = SIZES[whole(SIZES.length)];
      const pages = Math.floor((before[to + 1] - before[from]) / size);
      const index = whole(Math.ceil(pages / slots)) * slots + slot;
      if (index < pages) paths.add(listPath([from, to], size, index));
    }
    return [...paths];
  };
}

/** Returns the sum of the counts before each day, and of all counts at the end. */
function sumsBefore(counts) {
  const sums = [0];
  for (const count of counts) sums.push(sums.at(-1) + count);
  return sums;
}

async function salesADay(database) {
  const rows = await database.select(
    'SELECT sale_day, sales FROM bench.sale_counts WHERE vendor_id = ?',
    [BIG_VENDOR],
  );
  const counts = new Map(rows);
  return Array.from({ length: DAYS }, (_, day) => counts.get(dayAt(day)) ?? 0);
}

/** Returns every `step`-th day, starting at `slot`. */
function every(step, slot, below = DAYS) {
  return Array.from({ length: Math.ceil(below / step) }, (_, at) => at * step + slot).filter(
    (day) => day < below,
  );
}

function affiliateProducts() {
  return Array.from({ length: AFFILIATES * BIG_VENDOR_PRODUCTS }, (_, at) => [
    FIRST_AFFILIATE + (at % AFFILIATES),
    productOf(BIG_VENDOR, Math.floor(at / AFFILIATES)),
  ]);
}

function dayAt(number) {
  return new Date(Date.parse(FIRST_DAY) + number * DAY_MS).toISOString().slice(0, 10);
}
