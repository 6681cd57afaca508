import { describe, expect, it } from '@jest/globals';
import { assertSqliteIsSafe } from '../../../src/platform/database/sqlite/sqlite-support.js';

describe('SQLite', () => {
  it.each(['20.19.0', '20.20.2', '22.13.0', '22.23.3', '24.11.0', '24.18.1'])(
    'can be used on Node.js %s',
    (version) => {
      expect(() => {
        assertSqliteIsSafe(version);
      }).not.toThrow();
    },
  );

  it.each(['24.19.0', '24.21.0', '25.0.0', '26.3.0'])(
    'is refused in one line on Node.js %s, whose headers its driver is not safe with',
    (version) => {
      expect(() => {
        assertSqliteIsSafe(version);
      }).toThrow(
        /^DATABASE_URL: SQLite cannot be used on Node\.js [\d.]+,[^\n]+, for example [^\n]+$/,
      );
    },
  );
});
