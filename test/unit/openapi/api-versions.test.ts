import { describe, expect, it } from '@jest/globals';
import { API_VERSIONS, versionOfPath } from '../../../src/common/api-versions.js';

describe('the versions', () => {
  it('are 3.0, the current one, and two that are supported', () => {
    expect(API_VERSIONS).toEqual({
      '3.0': { status: 'current' },
      '2.1': { status: 'supported' },
      '2.0': { status: 'supported' },
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
  ] as const)('serve %s by the version that it names', (path, version) => {
    expect(versionOfPath(path)).toBe(version);
  });

  it.each([
    ...['/', '', '*', '/transactions', '/v1.0', '/v2.2', '/v2', '/v2.10', '/v2.1x', '/V2.1'],
    ...['/x/v2.1', '//v2.1', '/v2x1', '/vtoString', '/?path=/v2.1'],
  ])('serve %j, which names none, as 3.0', (path) => {
    expect(versionOfPath(path)).toBe('3.0');
  });
});
