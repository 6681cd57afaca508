import { describe, expect, it } from '@jest/globals';
import { AddressList } from '../../../src/platform/values/address-list.js';

describe('an address list', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['198.51.100.0/24', '198.51.100.255', true],
    ['198.51.100.0/24', '198.51.101.0', false],
    ['198.51.100.77/24', '198.51.100.1', true],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8::1', '2001:db8:0:0::1', true],
    ['10.0.0.1, 2001:db8::/64', '2001:db8::9', true],
    ['10.0.0.1', '', false],
    ['10.0.0.1', 'unknown', false],
    ['10.0.0.1', '10.0.0.1:4711', false],
  ])('of %s holds %s: %p', (list, address, holds) => {
    expect(AddressList.parse(list)?.holds(address)).toBe(holds);
  });

  it.each(
    [
      '',
      ',',
      '10.0.0.1,',
      '10.0.0',
      '10.0.0.1/33',
      '10.0.0.1/-1',
      '10.0.0.1/',
      '10.0.0.1/8/8',
    ].concat([
      '2001:db8::/129',
      'example.com',
      '10.0.0.1-10.0.0.9',
      '10.0.0.1/08x',
      '*',
      '::ffff:1.2.3.4/x',
    ]),
  )('can not be read from %p', (text) => {
    expect(AddressList.parse(text)).toBeNull();
    expect(AddressList.invalidEntries(text)).not.toEqual([]);
  });

  it('names the entries that it can not be read for, and only those', () => {
    const list = '10.0.0.1, 10.0.0.0/99,::1,here , 2001:db8::/32';
    expect(AddressList.invalidEntries(list)).toEqual(['10.0.0.0/99', 'here']);
    expect(AddressList.invalidEntries('10.0.0.1,::/0')).toEqual([]);
  });
});
