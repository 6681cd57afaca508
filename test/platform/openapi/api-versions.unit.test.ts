import { describe, expect, it } from '@jest/globals';
import {
  API_VERSIONS,
  installVersion,
  isApiPath,
  versionOfPath,
} from '../../../src/api/versions/api-versions.js';

describe('the versions', () => {
  it('include those of installed extensions, and no others', () => {
    installVersion('installed', 1);
    expect(versionOfPath('/extensions/installed/v1/x?a=1')).toBe('installed-1');
    expect(isApiPath('/extensions/installed/v1')).toBe(true);
    expect(isApiPath('/extensions/installed/v2')).toBe(false);
  });

  it('are 3.0, the current one, two that are supported, and the ledger interface', () => {
    expect(API_VERSIONS).toEqual({
      '3.0': { status: 'current', path: '/v3.0' },
      '2.1': { status: 'supported', path: '/v2.1' },
      '2.0': { status: 'supported', path: '/v2.0' },
      'ledger-1': { status: 'current', path: '/ledger/v1' },
    });
  });

  it.each([
    ['/v3.0', '3.0'],
    ['/v3.0/transactions?start_date=2025-06-01', '3.0'],
    ['/v2.1', '2.1'],
    ['/v2.1/', '2.1'],
    ['/v2.1?x=1', '2.1'],
    ['/v2.1#x', '2.1'],
    ['/v2.1/no/such/path', '2.1'],
    ['/v2.0/latest-transactions', '2.0'],
    ['/ledger/v1', 'ledger-1'],
    ['/ledger/v1/records?atomic=true', 'ledger-1'],
    ['/ledger', 'ledger-1'],
    ['/ledger/v2/records', 'ledger-1'],
  ] as const)('serve %s by the version that it names', (path, version) => {
    expect(versionOfPath(path)).toBe(version);
  });

  it.each([
    '/',
    '',
    '*',
    '/transactions',
    '/v1.0',
    '/v2.2',
    '/v2',
    '/v2.10',
    '/v2.1x',
    '/V2.1',
    '/x/v2.1',
    '//v2.1',
    '/v2x1',
    '/vtoString',
    '/?path=/v2.1',
    '/ledgers',
    '/Ledger/v1',
    '/x/ledger/v1',
    '/v3.0/ledger/v1',
    '/extensions/absent/v1',
    '/extensions/installed/v2/x',
  ])('serve %j, which names none, as 3.0', (path) => {
    expect(versionOfPath(path)).toBe('3.0');
  });
});
