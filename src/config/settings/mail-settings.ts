import { isMailAddress } from '../../platform/values/email.js';
import { readAuthorities } from './authority-file.js';
import type { SettingSource } from '../read-value.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const URL_EXAMPLE = 'smtps://user:password@smtp.example.com';
const FROM_EXAMPLE = '"Reports <reports@example.com>"';
const NAMED = /^([^<>\p{Cc}"]+) <([^<>]+)>$/u;

/** Encryption of the connection to the SMTP server: from the start, by STARTTLS, or none. */
export type MailEncryption = 'tls' | 'starttls' | 'none';

export type MailSettings = NonNullable<ReturnType<typeof readMail>>;

/**
 * Reads SMTP_URL, MAIL_FROM and SMTP_CA.
 * @returns null if none is set, so that no mail is sent
 */
export function readMail(source: SettingSource) {
  const [url, from] = [source.valueOf('SMTP_URL'), source.valueOf('MAIL_FROM')];
  const path = source.valueOf('SMTP_CA');
  if ([url, from, path].every((value) => value === undefined)) return null;
  const [server, sender] = [readServer(source, url), readFrom(source, from)];
  const example = '/etc/ssl/smtp-ca.pem';
  const read = (file: string) => readAuthorities('SMTP_CA', file, 'is no readable file', example);
  // Without SMTP_CA, the authorities of Node.js may sign the server's certificate.
  const ca = path === undefined ? path : source.attempt(() => read(path), undefined);
  if (source.valueOf('PUBLIC_URL') === undefined) {
    const problem = 'is missing: mails contain links to the account pages';
    return source.invalid('PUBLIC_URL', problem, 'https://reports.example.com', null);
  }
  if (server === null || sender === null) return null;
  if (server.encryption === 'none' && path !== undefined) {
    const problem = 'has no use: mails are sent to the server of SMTP_URL without encryption';
    return source.invalid('SMTP_CA', problem, 'smtps://… in SMTP_URL', null);
  }
  return { ...server, ca, from: sender };
}

/** Reads SMTP_URL. The error does not repeat the value, which may contain a password. */
function readServer(source: SettingSource, text: string | undefined) {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  const encryption = url === null ? null : encryptionOf(url);
  if (url === null || encryption === null || url.hostname === '' || /[^/]/.test(url.pathname)) {
    const problem =
      'must be smtp://host or smtps://host, with user:password@ and :port if needed, or ?tls=off';
    return source.invalid('SMTP_URL', problem, URL_EXAMPLE, null);
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    /** Undefined for the default port of the encryption. */
    port: url.port === '' ? undefined : Number(url.port),
    encryption,
    /** Null if the server requires no sign-in. */
    login: user === '' ? null : { user, password },
  };
}

/** Returns no encryption only on this machine or with `?tls=off`, and null for an invalid URL. */
function encryptionOf({ protocol, hostname, search }: URL): MailEncryption | null {
  if (protocol === 'smtps:') return search === '' ? 'tls' : null;
  if (protocol !== 'smtp:') return null;
  if (search === '?tls=off') return 'none';
  if (search !== '') return null;
  return LOOPBACK.has(hostname) ? 'none' : 'starttls';
}

/** Decodes percent-encoded text. If any encoding is invalid, the text is returned as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readFrom(source: SettingSource, text = '') {
  const [, name = '', named] = NAMED.exec(text) ?? [];
  const address = named ?? text;
  if (isMailAddress(address)) return { name, address };
  const problem = 'must be an e-mail address, or a name with its address in angle brackets';
  return source.invalid('MAIL_FROM', problem, FROM_EXAMPLE, null);
}
