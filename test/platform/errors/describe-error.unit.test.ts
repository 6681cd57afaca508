import { describe, expect, it } from '@jest/globals';
import { describeError } from '../../../src/platform/errors/describe-error.js';

const SECRET = 'ada@customer.example';

describe('what the log tells of a fault', () => {
  it('leaves out what a database says, which may quote a row, and keeps where it came from', () => {
    const error = Object.assign(new Error(`Duplicate entry '${SECRET}' for key 'email'`), {
      code: 'ER_DUP_ENTRY',
      sqlState: '23000',
      sqlMessage: SECRET,
    });
    const fault = describeError(error);
    expect(JSON.stringify(fault)).not.toContain(SECRET);
    expect(fault.error).toContain('describe-error.unit.test');
    expect(fault.driverCode).toBe('ER_DUP_ENTRY');
  });

  it('does so for a cause, too', () => {
    const cause = Object.assign(new Error(SECRET), { code: 'SQLITE_CONSTRAINT' });
    const fault = describeError(new Error('outer', { cause }));
    expect(fault.error).toContain('outer');
    expect(JSON.stringify(fault)).not.toContain(SECRET);
    expect(fault.cause?.driverCode).toBe('SQLITE_CONSTRAINT');
  });

  it('tells nothing of what is thrown and is no error', () => {
    expect(describeError(SECRET)).toEqual({ error: 'a thrown string' });
  });
});
