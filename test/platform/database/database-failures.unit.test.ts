import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseFailures, failureOf } from '../../../src/platform/database/database-failures.js';

const fault = (code: string) => Object.assign(new Error('fault'), { code });

describe('what fails for others, too', () => {
  it.each([
    'SQLITE_CORRUPT',
    'SQLITE_CORRUPT_INDEX',
    'SQLITE_NOTADB',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'SQLITE_READONLY',
    'ER_DISK_FULL',
    'ER_RECORD_FILE_FULL',
    'ER_ERROR_ON_WRITE',
    'ER_OPTION_PREVENTS_STATEMENT',
    'ER_READ_ONLY_MODE',
    'ENOSPC',
    'EDQUOT',
    'EFBIG',
    'EIO',
    'EROFS',
    'EACCES',
  ])('is %s', (code) => {
    expect(failureOf(fault(code))).toBe(code);
    expect(failureOf(new Error('wrapped', { cause: fault(code) }))).toBe(code);
  });

  it.each(['SQLITE_BUSY', 'SQLITE_CONSTRAINT_UNIQUE', 'ER_LOCK_DEADLOCK', 'ECONNREFUSED'])(
    'is not %s',
    (code) => {
      expect(failureOf(fault(code))).toBeNull();
    },
  );
});

describe('a failure', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('of a disk is forgotten after a minute, of a damaged file after five', () => {
    const failures = new DatabaseFailures();
    expect(failures.current).toBeNull();
    failures.note('SQLITE_FULL');
    jest.advanceTimersByTime(59_000);
    expect(failures.current).toBe('SQLITE_FULL');
    jest.advanceTimersByTime(1_000);
    expect(failures.current).toBeNull();
    failures.note('SQLITE_CORRUPT');
    jest.advanceTimersByTime(299_000);
    expect(failures.current).toBe('SQLITE_CORRUPT');
    jest.advanceTimersByTime(1_000);
    expect(failures.current).toBeNull();
  });

  it('is told at most once a second', () => {
    const failures = new DatabaseFailures();
    const told: string[] = [];
    failures.onFailure = (code) => told.push(code);
    for (let noted = 0; noted < 100; noted += 1) failures.note('SQLITE_FULL');
    expect(told).toEqual(['SQLITE_FULL']);
    jest.advanceTimersByTime(1_500);
    failures.note('SQLITE_FULL');
    expect(told).toHaveLength(2);
  });
});
