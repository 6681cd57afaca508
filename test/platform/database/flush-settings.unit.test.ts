import { describe, expect, it } from '@jest/globals';
import { lossyFlushSettings } from '../../../src/platform/database/mysql/mysql-database.js';

const FLUSH = 'innodb_flush_log_at_trx_commit';

describe('the settings that can lose an acknowledged commit', () => {
  it.each([
    ['none where each commit is flushed', { [FLUSH]: '1', log_bin: 'ON', sync_binlog: '1' }, []],
    ['a flush each second', { [FLUSH]: '2', log_bin: 'OFF' }, [`${FLUSH} = 2`]],
    ['no flush', { [FLUSH]: '0', log_bin: 'ON', sync_binlog: '1' }, [`${FLUSH} = 0`]],
    ['a binary log', { [FLUSH]: '1', log_bin: 'ON', sync_binlog: '0' }, ['sync_binlog = 0']],
    ['not a binary log that is off', { [FLUSH]: '1', log_bin: 'OFF', sync_binlog: '0' }, []],
    ['none of a server that has no such variable', {}, []],
  ])('are %s', (_, values, lossy) => {
    expect(lossyFlushSettings(new Map(Object.entries(values)))).toEqual(lossy);
  });
});
