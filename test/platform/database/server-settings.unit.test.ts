import { describe, expect, it } from '@jest/globals';
import { checkServerSettings } from '../../../src/platform/database/mysql/connect-any-host.js';

describe('checkServerSettings', () => {
  it.each([
    ['innodb_page_size', '16384', '8192', 'at least 16384'],
    ['max_allowed_packet', '16777216', '16777215', 'at least 16777216'],
    ['enforce_storage_engine', '', 'Aria', 'InnoDB, or none'],
  ])('refuses a value of %s that the service cannot work with', (variable, good, bad, wanted) => {
    expect(() => {
      checkServerSettings(new Map([[variable, good]]));
    }).not.toThrow();
    expect(() => {
      checkServerSettings(new Map([[variable, bad]]));
    }).toThrow(`DATABASE_URL: the server has ${variable} = ${bad}; the service needs ${wanted}.`);
  });
});
