/** The start of each kind of run, and the days that it reads. */
import { describe, expect, it } from '@jest/globals';
import {
  begun,
  dueRun,
  finished,
  seekingOf,
  sought,
  surveyed,
} from '../../../src/modules/mirror/runs/run-kind.js';
import type { Upstream } from '../../../src/modules/mirror/upstreams/upstream.model.js';

const NOW = new Date('2025-06-15T12:00:00Z');
const EVERYTHING_READ = '2025-06-15 11:59:00';

function upstream(changes: Partial<Upstream>): Upstream {
  return {
    id: 1,
    vendor_id: 1,
    url: 'https://up.example',
    state: 'active',
    secret: '',
    token: '',
    words: '{}',
    every_seconds: 300,
    wanted: null,
    run: null,
    run_began: null,
    first_day: null,
    last_day: null,
    next_day: null,
    listed: 0,
    missing: 0,
    last_recent: EVERYTHING_READ,
    last_quarter: EVERYTHING_READ,
    last_full: EVERYTHING_READ,
    seek_run: null,
    last_seek: null,
    payments_next: null,
    payments_after: null,
    payments_seen: 0,
    payments_total: 0,
    payments_round: 0,
    last_payments: null,
    next_try: EVERYTHING_READ,
    failures: 0,
    problem: null,
    claim: null,
    claim_ends: null,
    created: EVERYTHING_READ,
    ...changes,
  };
}

describe('the run that is due', () => {
  it.each([
    ['full', 'nothing was read yet', { last_full: null, wanted: 'recent' }],
    ['full', 'somebody wants it', { wanted: 'full' }],
    ['recent', 'somebody wants it', { wanted: 'recent' }],
    ['recent', 'its time has come', { last_recent: '2025-06-15 11:55:00' }],
    ['quarter', 'a day has passed', { last_quarter: '2025-06-14 12:00:00' }],
    ['recent', 'an unknown sale is sought', { seek_run: '2025-06-15 12:00:00' }],
    [null, 'one is sought later', { seek_run: '2025-06-15 12:00:01' }],
    [null, 'its time has not come', { last_recent: '2025-06-15 11:55:01' }],
    [null, 'less than a day has passed', { last_quarter: '2025-06-14 12:00:01' }],
  ] as const)('is %s where %s', (run, _, changes) => {
    expect(dueRun(upstream(changes), NOW)).toBe(run);
  });
});

describe('a run that looks for an unknown sale', () => {
  it.each([
    ['at once', '2025-06-15 12:00:00', {}],
    ['at once', '2025-06-15 12:00:00', { last_seek: '2025-06-15 11:59:00' }],
    ['a minute after the last one', '2025-06-15 12:00:59', { last_seek: '2025-06-15 11:59:59' }],
    ['with the next one', '2025-06-15 12:00:30', { seek_run: '2025-06-15 12:00:30' }],
  ])('begins %s: %s', (_, at, changes) => {
    expect(seekingOf(upstream(changes), NOW)).toBe(at);
  });

  it('is any run that begins; only those that were wanted for it count for the minute', () => {
    const last_seek = '2025-06-15 11:00:00';
    expect(sought(upstream({ last_seek }), NOW)).toEqual({ seek_run: null, last_seek });
    const wanted = upstream({ last_seek, seek_run: '2025-06-15 12:00:30' });
    expect(sought(wanted, NOW)).toEqual({ seek_run: null, last_seek: '2025-06-15 12:00:00' });
  });
});

describe('the days of a run', () => {
  it.each([
    ['recent', '2025-06-12'],
    ['quarter', '2025-03-17'],
  ] as const)('%s begin at %s and end tomorrow', (run, first_day) => {
    expect(begun(run, NOW)).toMatchObject({ run, first_day, last_day: '2025-06-16', listed: 0 });
  });

  it('full are known when the upstream has told its first sale', () => {
    expect(begun('full', NOW)).toMatchObject({ run: 'full', first_day: null, missing: 0 });
    const days = { first_day: '2020-01-31', last_day: '2025-06-16', next_day: '2025-06-16' };
    expect(surveyed('2020-01-31', NOW)).toEqual(days);
  });

  it('count as those of the shorter runs, too', () => {
    const run_began = '2025-06-15 11:00:00';
    const end = (run: Upstream['run']) => finished(upstream({ run, run_began }));
    const recent = { run: null, run_began: null, next_day: null, last_recent: run_began };
    expect(end('recent')).toEqual(recent);
    expect(end('quarter')).toEqual({ ...recent, last_quarter: run_began });
    expect(end('full')).toEqual({ ...recent, last_quarter: run_began, last_full: run_began });
  });
});
