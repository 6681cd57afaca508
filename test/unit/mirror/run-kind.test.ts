/** Which run begins when, and which days it reads. */
import { describe, expect, it } from '@jest/globals';
import { begun, dueRun, finished, surveyed } from '../../../src/modules/mirror/runs/run-kind.js';
import type { Upstream } from '../../../src/modules/upstreams/upstream.model.js';

const NOW = new Date('2025-06-15T12:00:00Z');
const EVERYTHING_READ = '2025-06-15 11:59:00';

function upstream(changes: Partial<Upstream>): Upstream {
  return {
    ...{ id: 1, vendor_id: 1, url: 'https://up.example', state: 'active', secret: '', token: '' },
    ...{ words: '{}', every_seconds: 300, wanted: null, run: null, run_began: null },
    ...{ first_day: null, last_day: null, next_day: null, listed: 0, missing: 0 },
    ...{ last_recent: EVERYTHING_READ, last_quarter: EVERYTHING_READ, last_full: EVERYTHING_READ },
    ...{ next_try: EVERYTHING_READ, failures: 0, problem: null, claim: null, claim_ends: null },
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
    [null, 'its time has not come', { last_recent: '2025-06-15 11:55:01' }],
    [null, 'less than a day has passed', { last_quarter: '2025-06-14 12:00:01' }],
  ] as const)('is %s where %s', (run, _, changes) => {
    expect(dueRun(upstream(changes), NOW)).toBe(run);
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
