import { readAuthorities } from './authority-file.js';

/** TLS options of the MySQL driver; empty for unencrypted connections. */
export interface DatabaseTls {
  readonly ssl?: {
    /** PEM of the accepted certificate authorities; those of Node.js if not set. */
    readonly ca?: Buffer;
    readonly rejectUnauthorized: true;
    /** Requires that the certificate matches the host name. */
    readonly verifyIdentity: true;
  };
}

const STRICT = { rejectUnauthorized: true, verifyIdentity: true } as const;
/** Replaces the TLS options of an unusable file while the other settings are checked. */
export const UNREAD_DATABASE_TLS: DatabaseTls = { ssl: STRICT };

const SETTING = 'DATABASE_TLS_CA';
const KNOWN_TO_NODE = 'system';

/**
 * Reads DATABASE_TLS_CA: a PEM file, or `system`; without it connections are not encrypted.
 * @throws SettingError if the file cannot be read or contains no certificate
 */
export function readDatabaseTls(value: string | undefined): DatabaseTls {
  if (value === undefined) return {};
  return { ssl: value === KNOWN_TO_NODE ? STRICT : { ...STRICT, ca: authoritiesIn(value) } };
}

function authoritiesIn(path: string): Buffer {
  return readAuthorities(
    SETTING,
    path,
    `is neither ${KNOWN_TO_NODE} nor a readable file`,
    '/etc/ssl/database-ca.pem',
  );
}
