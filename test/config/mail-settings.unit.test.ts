import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/start/load-settings.js';
import { Certificates } from '../support/servers/certificates.js';

const MAIL = {
  SMTP_URL: 'smtps://user:p%40ss@smtp.example.test:4465',
  MAIL_FROM: 'Reports of ACME <reports@example.test>',
  PUBLIC_URL: 'https://reports.example.test',
};

function read(
  changed: Partial<Record<keyof typeof MAIL | 'REQUIRE_HTTPS' | 'SMTP_CA', string>> = {},
) {
  return readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET: 'x'.repeat(32), ...changed });
}

describe('SMTP_URL and MAIL_FROM', () => {
  it('are read with all of their parts', () => {
    expect(read(MAIL).mail).toEqual({
      host: 'smtp.example.test',
      port: 4_465,
      encryption: 'tls',
      login: { user: 'user', password: 'p@ss' },
      from: { name: 'Reports of ACME', address: 'reports@example.test' },
    });
    expect(read().mail).toBeNull();
  });

  it.each([
    ['smtp://smtp.example.test', 'starttls'],
    ['smtp://smtp.example.test?tls=off', 'none'],
    ['smtp://127.0.0.1:2525', 'none'],
    ['smtp://[::1]', 'none'],
    ['smtps://smtp.example.test/', 'tls'],
  ])('%s is encrypted: %s', (SMTP_URL, encryption) => {
    const { mail } = read({ ...MAIL, SMTP_URL, MAIL_FROM: 'reports@example.test' });
    expect(mail).toMatchObject({ encryption, login: null });
  });

  it.each([
    ['SMTP_URL', ''],
    ['SMTP_URL', 'smtp.example.test:25'],
    ['SMTP_URL', 'https://secret@smtp.example.test'],
    ['SMTP_URL', 'smtp://secret@smtp.example.test/?pool=true'],
    ['SMTP_URL', 'smtps://smtp.example.test?tls=off'],
    ['MAIL_FROM', ''],
    ['MAIL_FROM', 'reports'],
    ['MAIL_FROM', 'a@example.test, b@example.test'],
    ['MAIL_FROM', 'Reports <a@example.test>\r\nBcc: b@example.test'],
    ['PUBLIC_URL', ''],
  ] as const)('are refused with %s=%p', (name, value) => {
    expect(() => read({ ...MAIL, [name]: value })).toThrow(new RegExp(`^${name}: `));
    try {
      read({ ...MAIL, [name]: value });
    } catch (error) {
      expect(String(error)).not.toContain('secret');
    }
  });
});

describe('SMTP_CA', () => {
  const certificates = new Certificates();
  beforeAll(() => {
    certificates.make('authority', 'smtp.example.test');
  });
  afterAll(() => {
    certificates.remove();
  });

  it('is read from its file', () => {
    const path = certificates.certificate('authority');
    expect(read({ ...MAIL, SMTP_CA: path }).mail?.ca).toEqual(readFileSync(path));
    expect(read(MAIL).mail?.ca).toBeUndefined();
  });

  it('must be a file of certificates, of a server whose connection is encrypted', () => {
    const wrong = (changed: Parameters<typeof read>[0]) => () => read({ ...MAIL, ...changed });
    const none = '/no/such/file.pem';
    expect(wrong({ SMTP_CA: none })).toThrow(/^SMTP_CA: is no readable file/);
    const key = certificates.key('authority');
    expect(wrong({ SMTP_CA: key })).toThrow(/^SMTP_CA: must contain PEM certificates/);
    const SMTP_CA = certificates.certificate('authority');
    expect(wrong({ SMTP_CA, SMTP_URL: 'smtp://127.0.0.1' })).toThrow(/^SMTP_CA: has no use/);
    expect(() => read({ SMTP_CA })).toThrow(/SMTP_URL: /);
  });
});

describe('PUBLIC_URL', () => {
  it.each([
    ['https://reports.example.test', 'https://reports.example.test'],
    ['https://reports.example.test:8443/', 'https://reports.example.test:8443'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://example.test/reports', 'https://example.test/reports', '/reports'],
    [
      'https://example.test/sales/my-reports_2/',
      'https://example.test/sales/my-reports_2',
      '/sales/my-reports_2',
    ],
    ['https://example.test/documents', 'https://example.test/documents', '/documents'],
  ])('%s is read as %s', (PUBLIC_URL, url, basePath = '') => {
    expect(read({ PUBLIC_URL })).toMatchObject({ publicUrl: url, basePath });
  });

  it.each([
    'reports.example.test',
    'ftp://reports.example.test',
    'https://a:b@reports.example.test',
    'https://reports.example.test/?a=b',
    'https://example.test/reports?a=b',
    'javascript:x',
    'https://example.test/reports#a',
    'https://example.test/a%2Fb',
    'https://example.test/a//b',
    'https://example.test/account',
    'https://example.test/v3.0/reports',
    'https://example.test/"><b>',
    'https://a:b@example.test/reports',
  ])('%s is refused', (PUBLIC_URL) => {
    expect(() => read({ PUBLIC_URL })).toThrow(/^PUBLIC_URL: /);
  });

  it('is https where HTTPS is required', () => {
    const PUBLIC_URL = 'http://reports.example.test';
    expect(() => read({ PUBLIC_URL, REQUIRE_HTTPS: 'on' })).toThrow(/^PUBLIC_URL: /);
  });
});
