import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AddressList } from '../../common/address-list.js';
import { isError } from '../../common/errors/is-error.js';
import { readChoice, type SettingSource } from '../read-value.js';
import { SettingError } from '../setting-error.js';

const MAX_HOPS = 16;
const EXAMPLE = '/etc/ssl/service.pem';

/** Paths of a certificate with its chain and of its key, both in PEM. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Options of tls.createServer. */
export interface TlsContext {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface TransportSettings {
  /** Null for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Number of trusted proxies, or their networks; null for none. */
  readonly trustProxy: number | readonly string[] | null;
  readonly requireHttps: boolean;
}

/** Reads TLS_CERT, TLS_KEY, TRUST_PROXY and REQUIRE_HTTPS. */
export function readTransport(source: SettingSource, isProduction: boolean): TransportSettings {
  const required = readChoice(source, 'REQUIRE_HTTPS', ['on', 'off'], isProduction ? 'on' : 'off');
  return {
    tls: readTlsFiles(source),
    trustProxy: readTrustProxy(source),
    requireHttps: required === 'on',
  };
}

/** @throws SettingError if a file cannot be read, or certificate and key do not match */
export function loadTls({ certificate, key }: TlsFiles): TlsContext {
  const context = {
    cert: readPem('TLS_CERT', certificate),
    key: readPem('TLS_KEY', key),
  };
  try {
    createSecureContext(context);
  } catch (error) {
    const why = isError(error) ? error.message : 'unusable';
    throw new SettingError(
      'TLS_CERT',
      `and TLS_KEY must be a certificate and its key in PEM (${why})`,
      EXAMPLE,
    );
  }
  return context;
}

function readTlsFiles(source: SettingSource): TlsFiles | null {
  const [certificate, key] = [source.valueOf('TLS_CERT'), source.valueOf('TLS_KEY')];
  if (certificate === undefined && key === undefined) return null;
  if (certificate === undefined || key === undefined) {
    const variable = certificate === undefined ? 'TLS_KEY' : 'TLS_CERT';
    const problem = 'is missing: TLS_CERT and TLS_KEY must be set together';
    return source.invalid(variable, problem, EXAMPLE, null);
  }
  const files = { certificate, key };
  const pems = [
    source.attempt(() => readPem('TLS_CERT', certificate), null),
    source.attempt(() => readPem('TLS_KEY', key), null),
  ];
  if (!pems.includes(null)) source.attempt(() => loadTls(files), null);
  return files;
}

function readPem(variable: 'TLS_CERT' | 'TLS_KEY', path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new SettingError(variable, 'is a file that cannot be read', EXAMPLE);
  }
}

/**
 * Reads TRUST_PROXY: a number of hops, or networks. 0.0.0.0/0 is rejected, because any client could
 * then fake its address.
 */
function readTrustProxy(source: SettingSource): number | readonly string[] | null {
  const value = source.valueOf('TRUST_PROXY');
  if (value === undefined || value === '0') return null;
  if (/^\d{1,2}$/.test(value) && Number(value) <= MAX_HOPS) return Number(value);
  const networks = AddressList.parse(value);
  if (networks === null || /\/0+(,|$)/.test(networks.text)) {
    const problem = `must be the number of proxies from 0 to ${MAX_HOPS}, or their addresses and networks`;
    return source.invalid('TRUST_PROXY', problem, '10.0.0.0/8', null);
  }
  return networks.text.split(',');
}
