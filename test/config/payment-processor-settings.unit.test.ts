import { describe, expect, it } from '@jest/globals';
import { valueOf } from '../../src/config/declared-settings.js';
import type { Environment } from '../../src/config/settings.js';
import { RECURRING } from '../../src/modules/recurring/recurring.feature.js';
import { complaintAbout, settingsOf } from '../support/processes/settings.js';

const SECRET = 'a secret of exactly 32 character';
const ADDRESS = 'https://processor.example/cancel';
const processorOf = (environment: Environment) => {
  const settings = settingsOf(environment);
  const { processorUrl, processorSecret } = RECURRING.settings;
  return { url: valueOf(settings, processorUrl), secret: valueOf(settings, processorSecret) };
};

describe('PAYMENT_PROCESSOR_URL and PAYMENT_PROCESSOR_SECRET', () => {
  it.each([
    ['are absent', {}],
    ['are empty', { PAYMENT_PROCESSOR_URL: '', PAYMENT_PROCESSOR_SECRET: '' }],
  ])('have cancels recorded only where both %s', (_, environment) => {
    expect(processorOf(environment)).toEqual({ url: null, secret: null });
  });

  it.each([
    ADDRESS,
    'https://processor.example:8443/a/b?c=d',
    'https://192.0.2.1/cancel',
    'http://localhost:8080/cancel',
    'http://127.0.0.1/cancel',
    'http://[::1]:8080/cancel',
  ])('go together: %s', (url) => {
    const environment = { PAYMENT_PROCESSOR_URL: url, PAYMENT_PROCESSOR_SECRET: SECRET };
    expect(processorOf(environment)).toEqual({ url, secret: SECRET });
  });

  it.each([
    ['PAYMENT_PROCESSOR_SECRET', 'the address alone', { PAYMENT_PROCESSOR_URL: ADDRESS }],
    [
      'PAYMENT_PROCESSOR_SECRET',
      'the address and an empty secret',
      { PAYMENT_PROCESSOR_URL: ADDRESS, PAYMENT_PROCESSOR_SECRET: '' },
    ],
    ['PAYMENT_PROCESSOR_URL', 'the secret alone', { PAYMENT_PROCESSOR_SECRET: SECRET }],
    [
      'PAYMENT_PROCESSOR_SECRET',
      'a secret of 31 characters',
      { PAYMENT_PROCESSOR_URL: ADDRESS, PAYMENT_PROCESSOR_SECRET: SECRET.slice(1) },
    ],
  ])('are refused, with the name of %s, where there is %s', (name, _, environment) => {
    expect(complaintAbout(environment)).toMatch(
      new RegExp(`^${name}: [^\\n]+, for example ${name}=[^\\n]+$`),
    );
  });

  it.each([
    'http://processor.example/cancel',
    'http://localhost.example/cancel',
    'http://127.0.0.1.example/cancel',
    'http://127.0.0.1@processor.example/cancel',
    'http://0.0.0.0/cancel',
    'http://10.0.0.1/cancel',
    'ftp://localhost/cancel',
    'file:///cancel',
    'javascript:alert(1)',
    'processor.example/cancel',
    '/cancel',
    'https://',
    'cancel',
    'https://user:Hunter2@processor.example/cancel',
    'https://user@processor.example/cancel',
  ])('are refused where the address is %s', (url) => {
    const complaint = complaintAbout({
      PAYMENT_PROCESSOR_URL: url,
      PAYMENT_PROCESSOR_SECRET: SECRET,
    });
    expect(complaint).toMatch(/^PAYMENT_PROCESSOR_URL: must be an https URL/);
    expect(complaint).not.toContain('Hunter2');
    expect(complaint).not.toContain(SECRET);
  });

  it('never repeat the secret', () => {
    const short = { PAYMENT_PROCESSOR_URL: ADDRESS, PAYMENT_PROCESSOR_SECRET: 'Hunter2!' };
    expect(complaintAbout(short)).not.toContain('Hunter2');
    expect(complaintAbout({ PAYMENT_PROCESSOR_SECRET: SECRET })).not.toContain(SECRET);
  });
});
