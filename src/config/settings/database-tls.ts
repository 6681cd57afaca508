import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingError } from '../setting-error.js';

/** What a driver of MySQL and MariaDB is told of encryption; nothing where there is none. */
export interface DatabaseTls {
  readonly ssl?: {
    /** PEM of the authorities that may have signed a host's certificate; those of Node if not set. */
    readonly ca?: Buffer;
    readonly rejectUnauthorized: true;
    /** The certificate must be for the host that was asked for. */
    readonly verifyIdentity: true;
  };
}

/** What every encrypted connection demands. */
const STRICT = { rejectUnauthorized: true, verifyIdentity: true } as const;
/** For the checks that go on where the file can not be used. */
export const UNREAD_DATABASE_TLS: DatabaseTls = { ssl: STRICT };

const SETTING = 'DATABASE_TLS_CA';
const EXAMPLE = '/etc/ssl/database-ca.pem';
const KNOWN_TO_NODE = 'system';

/**
 * Reads DATABASE_TLS_CA: a PEM file, or `system`; without it connections are not encrypted.
 * @throws SettingError where the file can not be read, or holds no certificate
 */
export function readDatabaseTls(value: string | undefined): DatabaseTls {
  if (value === undefined) return {};
  return { ssl: value === KNOWN_TO_NODE ? STRICT : { ...STRICT, ca: readCertificates(value) } };
}

function readCertificates(path: string): Buffer {
  let pem: Buffer;
  try {
    pem = readFileSync(path);
  } catch {
    throw new SettingError(SETTING, `is neither ${KNOWN_TO_NODE} nor a readable file`, EXAMPLE);
  }
  if (!holdsCertificates(pem)) {
    throw new SettingError(SETTING, 'must hold certificates in PEM', EXAMPLE);
  }
  return pem;
}

function holdsCertificates(pem: Buffer): boolean {
  try {
    createSecureContext({ ca: pem });
  } catch {
    return false;
  }
  // A file without any is a list of no authorities to Node.
  return pem.includes('-----BEGIN CERTIFICATE-----');
}
