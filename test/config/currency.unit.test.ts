import { describe, expect, it } from '@jest/globals';
import { withCurrency } from '../../src/platform/pages/ui/values.view.js';
import { complaintAbout, settingsOf } from '../support/processes/settings.js';

describe('the setting CURRENCY', () => {
  it.each(['EUR', 'US$', 'kr.', '€'])('may be %s', (CURRENCY) => {
    expect(settingsOf({ CURRENCY }).currency).toBe(CURRENCY);
  });

  it('is a dollar for the demo, which is only in the default database outside production', () => {
    expect(settingsOf({}).currency).toBe('$');
    expect(settingsOf({ CURRENCY: 'EUR' }).currency).toBe('EUR');
    expect(settingsOf({ DATABASE_URL: 'sqlite:own.sqlite' }).currency).toBe('');
    const NODE_ENV = 'production';
    expect(settingsOf({ NODE_ENV, KEY_ENCRYPTION_SECRET: 'x'.repeat(40) }).currency).toBe('');
  });

  it.each(['<b>', '12', 'one coin', 'Schillinge'])('can not be %s', (CURRENCY) => {
    expect(complaintAbout({ CURRENCY })).toMatch(/must be a code or a symbol/);
  });
});

describe('the setting OPERATOR_CONTACT', () => {
  it.each([
    ['Acme Support <mailto:help@acme.example>', 'Acme Support', 'mailto:help@acme.example'],
    [
      'Müller & Co. <https://acme.example/help?a=1>',
      'Müller & Co.',
      'https://acme.example/help?a=1',
    ],
  ])('may be %s', (OPERATOR_CONTACT, name, href) => {
    expect(settingsOf({ OPERATOR_CONTACT }).operatorContact).toEqual({ name, href });
  });

  it('is no name unless it is set', () => {
    expect(settingsOf({}).operatorContact).toBeNull();
  });

  it.each([
    'Acme',
    'help@acme.example',
    'Acme <http://acme.example>',
    'Acme <javascript:alert(1)>',
    'Acme <https://user:secret@acme.example>',
    'Acme <mailto:nobody>',
    'Acme <mailto:help@acme.example?subject=x>',
    '<b>Acme</b> <https://acme.example>',
    ' <https://acme.example>',
  ])('can not be %j', (OPERATOR_CONTACT) => {
    expect(complaintAbout({ OPERATOR_CONTACT })).toMatch(
      /must be a name with an https: or mailto:/,
    );
  });
});

describe('an amount with a currency', () => {
  it.each([
    ['', '−1,234.50', '−1,234.50'],
    ['$', '1,234.50', '$1,234.50'],
    ['$', '−1,234.50', '−$1,234.50'],
    ['US$', '0.00', 'US$0.00'],
    ['EUR', '1,234.50', '1,234.50\u00a0EUR'],
    ['kr.', '−1.00', '−1.00\u00a0kr.'],
  ])('has %j where a reader expects it: %s is %s', (label, amount, expected) => {
    expect(withCurrency(amount, label)).toBe(expected);
  });
});
