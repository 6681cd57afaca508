import { describe, expect, it } from '@jest/globals';
import { withCurrency } from '../../src/platform/pages/ui/values.view.js';
import { complaintAbout, settingsOf } from '../support/processes/settings.js';

describe('the setting CURRENCY', () => {
  it.each(['EUR', 'US$', 'kr.', '€'])('may be %s', (CURRENCY) => {
    expect(settingsOf({ CURRENCY }).currency).toBe(CURRENCY);
  });

  it.each(['<b>', '12', 'one coin', 'Schillinge'])('can not be %s', (CURRENCY) => {
    expect(complaintAbout({ CURRENCY })).toMatch(/must be a code or a symbol/);
  });
});

describe('an amount with a currency', () => {
  it.each([
    ['', '-1,234.50', '-1,234.50'],
    ['$', '1,234.50', '$1,234.50'],
    ['$', '-1,234.50', '-$1,234.50'],
    ['US$', '0.00', 'US$0.00'],
    ['EUR', '1,234.50', '1,234.50\u00a0EUR'],
    ['kr.', '-1.00', '-1.00\u00a0kr.'],
  ])('has %j where a reader expects it: %s is %s', (label, amount, expected) => {
    expect(withCurrency(amount, label)).toBe(expected);
  });
});
