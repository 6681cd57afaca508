import { describe, expect, it } from '@jest/globals';
import {
  barLineOf,
  ReadRate,
  upstreamLinesOf,
} from '../../../src/modules/mirror/upstreams.command.js';
import {
  OWN_WORDS,
  storableProblems,
  type ShownUpstream,
} from '../../../src/modules/mirror/upstreams/upstream.model.js';

const UPSTREAM: ShownUpstream = {
  id: 3,
  vendor_id: 1,
  url: 'https://up.example',
  words: OWN_WORDS,
  every_seconds: 300,
  state: 'active',
  wanted: null,
  run: null,
  run_began: null,
  first_day: '2024-01-01',
  last_day: '2025-06-01',
  next_day: '2025-06-01',
  listed: 12_345,
  waiting: 6,
  missing: 2,
  failures: 0,
  problem: null,
  problems: [],
  last_recent: null,
  last_quarter: null,
  last_full: null,
  payments_seen: 0,
  payments_total: 0,
  last_payments: null,
  next_try: '2025-06-01 18:03:11',
  created: '2025-06-01 18:00:00',
};
const RUNNING = { ...UPSTREAM, run: 'full', next_day: '2024-09-30' } as const;

describe('the line of an upstream', () => {
  const BEGINNING = 'Upstream 3 of user 1: https://up.example, ';
  const COUNTS = '12,345 transactions read, 6 waiting, 2 missing';

  it.each([
    [{}, `active; up to date; ${COUNTS}; next run 2025-06-01 18:03:11 UTC`],
    [{ state: 'paused' }, `paused; up to date; ${COUNTS}`],
    [
      { state: 'paused', last_payments: '2025-06-01 04:00:00', payments_total: 2_000 },
      `paused; up to date; ${COUNTS}; 0 of 2,000 recurring payments checked`,
    ],
    [
      { state: 'paused', last_payments: '2025-06-01 04:00:00' },
      `paused; up to date; ${COUNTS}; recurring payments checked 2025-06-01 04:00:00 UTC`,
    ],
    [{ run: 'full' }, `active; 0 of 18 months; ${COUNTS}`],
    [{ wanted: 'full' }, `active; about to read everything; ${COUNTS}`],
    [
      { run: 'full', failures: 3, problem: 'no answer' },
      `active; 0 of 18 months; ${COUNTS}; next try 2025-06-01 18:03:11 UTC; 3 failed in a row: no answer`,
    ],
  ] as const)('with %j', (changes, line) => {
    expect(upstreamLinesOf({ ...UPSTREAM, ...changes })).toEqual([BEGINNING + line]);
  });

  it('with problems is not up to date, and has a line for each kind', () => {
    const [kind, example] = ['transaction not stored: amount', 'amount: must be … (transaction T)'];
    const problems = [
      { kind, count: 1_234, example },
      { kind: 'details not found', count: 1, example: null },
    ];
    expect(upstreamLinesOf({ ...UPSTREAM, problems })).toEqual([
      `${BEGINNING}active; read, with 1,235 problems; ${COUNTS}; next run 2025-06-01 18:03:11 UTC`,
      `  1,234 × ${kind}; first: ${example}`,
      '  1 × details not found',
    ]);
    const many = upstreamLinesOf({ ...UPSTREAM, problems: [{ kind, count: 10_000, example }] });
    expect(many[0]).toContain('read, with at least 10,000 problems');
  });
});

describe('the progress bar', () => {
  it('shows months, transactions, their rate, and what waits', () => {
    const line = '9 of 18 months [=====-----] 12,345 read, 678/s, 6 waiting';
    expect(barLineOf(RUNNING, 678)).toBe(line);
  });

  it('is full only at the end', () => {
    const months = (next_day: string) => barLineOf({ ...RUNNING, next_day }, 0);
    expect(months('2024-01-01')).toContain('17 of 18 months [=========-]');
    expect(months('2023-12-31')).toContain('18 of 18 months [==========]');
    expect(months('2025-06-01')).toContain('0 of 18 months [----------]');
  });

  it('says what is read before the days are known', () => {
    const unknown = { ...RUNNING, first_day: null, last_day: null, next_day: null, listed: 0 };
    expect(barLineOf(unknown, 0)).toBe('looking for the first sale, 0 read, 0/s, 6 waiting');
  });

  it('fits a terminal of 80 columns', () => {
    const long = { first_day: '1900-01-01', listed: 1_000_000_000, waiting: 10_000_000 };
    expect(barLineOf({ ...RUNNING, ...long }, 100_000)).toHaveLength(79);
    const usual = { first_day: '2015-01-01', listed: 10_000_000, waiting: 100_000 };
    expect(barLineOf({ ...RUNNING, ...usual }, 10_000)).toMatch(/ 100,000 waiting$/);
  });
});

describe('the rate of a run', () => {
  it('counts what was read since it is watched, and begins again with a new run', () => {
    let now = 5_000;
    const rate = new ReadRate(() => now);
    expect(rate.rateAt(1_000)).toBe(0);
    now += 2_000;
    expect(rate.rateAt(1_500)).toBe(250);
    now += 2_000;
    expect(rate.rateAt(1_500)).toBe(125);
    now += 1_000;
    expect(rate.rateAt(100)).toBe(100_000);
    now += 1_000;
    expect(rate.rateAt(600)).toBe(600);
  });
});

describe('the problems that are stored', () => {
  const problem = (kind: string, subject: string) => ({ kind, subject, text: subject });
  const stored = (count: number) => [{ kind: 'known', count, example: null }];

  it('are each one once, until there is no room', () => {
    const found = [problem('known', 'a'), problem('known', 'a'), problem('known', 'b')];
    expect(storableProblems(found, stored(1))).toEqual([found[0], found[2]]);
    expect(storableProblems(found, stored(9_999))).toEqual([found[0]]);
  });

  it('are the first of each new kind even then', () => {
    const found = [problem('known', 'a'), problem('new', 'a'), problem('new', 'b')];
    expect(storableProblems(found, stored(10_000))).toEqual([found[1]]);
  });
});
