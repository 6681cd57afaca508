import { describe, expect, it } from '@jest/globals';
import {
  keysOf,
  type PersonalRead,
} from '../../../src/modules/privacy/reads/personal-read.model.js';
import { WaitingReads } from '../../../src/modules/privacy/reads/personal-read-log.service.js';

const AT = '2025-06-01 00:00:00';
const LATER = '2025-06-01 00:00:01';
const LIST: PersonalRead = {
  vendor_id: 1,
  user_id: 1,
  application_id: 2,
  operation: 'listTransactions',
  record_key: null,
  first_day: '2025-06-01',
  last_day: '2025-06-30',
  records: 50,
};

function readOf(record_key: string, more: Partial<PersonalRead> = {}): PersonalRead {
  const days = { first_day: null, last_day: null };
  return { ...LIST, operation: 'getTransaction', record_key, ...days, records: 1, ...more };
}

function waitingFor(maxCharacters = 1_000_000): WaitingReads {
  return new WaitingReads('writer', maxCharacters);
}

describe('reads of personal data that wait', () => {
  it('are one row for each second, caller and operation', () => {
    const waiting = waitingFor();
    for (const key of ['a', 'b', 'a']) waiting.add(readOf(key), AT);
    waiting.add(readOf('c', { application_id: 3 }), AT);
    waiting.add(readOf('d'), LATER);
    for (const records of [50, 7]) waiting.add({ ...LIST, records }, LATER);
    const rows = waiting.oldest(100);
    expect(rows.map((row) => [row.number, row.read_at, keysOf(row), row.times])).toEqual([
      [1, AT, ['a', 'b'], 3],
      [2, AT, ['c'], 1],
      [3, LATER, ['d'], 1],
      [4, LATER, [], 2],
    ]);
    expect(rows.map(({ records }) => records)).toEqual([2, 1, 1, 57]);
    expect(rows[3]).toMatchObject({ writer: 'writer', record_keys: null, last_day: '2025-06-30' });
    expect(waiting.times).toBe(7);
  });

  it('do not change once they are being written, and stay until they are', () => {
    const waiting = waitingFor();
    waiting.add(readOf('a'), AT);
    const [first] = waiting.oldest(100);
    waiting.add(readOf('b'), AT);
    expect(waiting.oldest(100).map(keysOf)).toEqual([['a'], ['b']]);
    waiting.remove(1);
    expect([first, ...waiting.oldest(100)].map((row) => row?.number)).toEqual([1, 2]);
    waiting.remove(1);
    expect(waiting.isEmpty).toBe(true);
  });

  it('do not count lists that nobody has counted', () => {
    const waiting = waitingFor();
    for (const records of [50, null]) waiting.add({ ...LIST, records }, AT);
    expect(waiting.oldest(1)[0]?.records).toBeNull();
  });

  it('have at most so many keys in a row that the column holds them', () => {
    const waiting = waitingFor();
    const keys = Array.from({ length: 1_000 }, (_, number) => `${number}`.padEnd(64, 'x'));
    for (const key of keys) waiting.add(readOf(key), AT);
    const rows = waiting.oldest(100);
    expect(rows.flatMap(keysOf)).toEqual(keys);
    for (const { record_keys } of rows) expect(record_keys?.length).toBeLessThan(16_000);
  });

  it('take bounded memory, and take no more then', () => {
    const waiting = waitingFor(10_000);
    const taken = Array.from({ length: 1_000 }, (_, number) =>
      waiting.add(readOf('key', { application_id: number }), AT),
    );
    const count = taken.filter((isTaken) => isTaken).length;
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(100);
    expect([waiting.times, waiting.oldest(1_000).length]).toEqual([count, count]);
    waiting.remove(1);
    expect(waiting.add(readOf('key'), AT)).toBe(true);
  });

  it('keep keys apart, whatever is in them', () => {
    const waiting = waitingFor();
    for (const key of ['a b', 'a\nb', '']) waiting.add(readOf(key), AT);
    expect(waiting.oldest(1).flatMap(keysOf)).toEqual(['a b', 'a b', '']);
  });
});
