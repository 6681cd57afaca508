import { expect, it } from '@jest/globals';
import { valueOf, type IntegerSetting } from '../../src/config/declared-settings.js';
import type { Settings } from '../../src/config/settings.js';
import { ACCOUNTS } from '../../src/modules/accounts/accounts.feature.js';
import { RECORDS_IN } from '../../src/modules/records-in/records-in.feature.js';
import { complaintAbout, settingsOf } from '../support/processes/settings.js';

const MEBIBYTE = 1_048_576;

const declared = (setting: IntegerSetting) => (settings: Settings) => valueOf(settings, setting);

it.each<[string, number, number, (settings: Settings) => unknown, unit?: number]>([
  ['PORT', 0, 65_535, ({ port }) => port],
  ['DATABASE_CONNECTIONS', 1, 1_000, ({ databaseConnections }) => databaseConnections],
  ['DATABASE_STATEMENT_MS', 100, 60_000, ({ statementMs }) => statementMs],
  ['PAGE_CACHE_MB', 0, 65_536, ({ pageCacheBytes }) => pageCacheBytes, MEBIBYTE],
  ['ANSWER_MEMORY_MB', 16, 65_536, ({ answerMemoryBytes }) => answerMemoryBytes, MEBIBYTE],
  ['RECORDS_SPOOL_MB', 32, 65_536, declared(RECORDS_IN.settings.spoolMebibytes)],
  ['ACTIVE_APPLICATIONS', 1, 10_000, declared(ACCOUNTS.settings.activeApplications)],
  ['SOURCE_MAX_USERS', 0, 10_000_000, declared(RECORDS_IN.settings.maxUsers)],
  ['SOURCE_MAX_PRODUCTS', 0, 10_000_000, declared(RECORDS_IN.settings.maxProducts)],
  ['WORKER_HANG_SECONDS', 1, 3_600, ({ workerHangMs }) => workerHangMs, 1_000],
  ['SHUTDOWN_GRACE', 1, 3_600, ({ shutdownGraceMs }) => shutdownGraceMs, 1_000],
  ['THROTTLE_AT_ONCE', 1, 10_000, ({ limits }) => limits.atOnce],
  ['THROTTLE_WAIT', 0, 10, ({ limits }) => limits.waitMs, 1_000],
  ['WORKERS', 1, 64, ({ workers }) => workers],
  ['MANAGEMENT_PORT', 0, 65_535, ({ management }) => management.port],
  ['TRUST_PROXY', 1, 16, ({ transport }) => transport.trustProxy],
])('take %s from %i to %i, and nothing beyond', (name, least, most, read, unit = 1) => {
  const taken = [least, most].map((value) => read(settingsOf({ [name]: String(value) })));
  expect(taken).toEqual([least * unit, most * unit]);
  // The value 0 means that no proxy is trusted, which is another case.
  const beyond = name === 'TRUST_PROXY' ? [most + 1] : [least - 1, most + 1];
  for (const value of beyond) {
    expect(complaintAbout({ [name]: String(value) })).toMatch(new RegExp(`^${name}: must be `));
  }
});
