import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AddressList } from '../../common/address-list.js';
import { isError } from '../../common/errors/is-error.js';
import { readChoice, type SettingSource } from '../read-value.js';
import { SettingError } from '../setting-error.js';

const MOST_HOPS = 16;

/** Files of a certificate, with its chain, and of its key, both PEM. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
}

/** What tls.createServer takes. */
export interface TlsContext {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface TransportSettings {
  /** Null where the service speaks plain HTTP, or HTTP to a proxy. */
  readonly tls: TlsFiles | null;
  /** How many proxies stand before the service, or their networks; null where none is believed. */
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

/** @throws SettingError where a file can not be read, or both do not belong together */
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
      '/etc/ssl/service.pem',
    );
  }
  return context;
}

function readTlsFiles(source: SettingSource): TlsFiles | null {
  const [certificate, key] = [source.valueOf('TLS_CERT'), source.valueOf('TLS_KEY')];
  if (certificate === undefined && key === undefined) return null;
  if (certificate === undefined || key === undefined) {
    const variable = certificate === undefined ? 'TLS_KEY' : 'TLS_CERT';
    const problem = 'needs TLS_CERT and TLS_KEY, which go together';
    return source.wrong({ variable, problem, example: '/etc/ssl/service.pem' }, null);
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
    throw new SettingError(variable, 'is a file that can not be read', '/etc/ssl/service.pem');
  }
}

/** A number of hops, or networks: never everybody, since then everybody could name any address. */
function readTrustProxy(source: SettingSource): number | readonly string[] | null {
  const value = source.valueOf('TRUST_PROXY');
  if (value === undefined || value === '0') return null;
  if (/^\d{1,2}$/.test(value) && Number(value) <= MOST_HOPS) return Number(value);
  const networks = AddressList.parse(value);
  if (networks === null || /\/0+(,|$)/.test(networks.text)) {
    const problem = `must be a number of proxies from 0 to ${MOST_HOPS}, or their addresses and networks`;
    return source.wrong({ variable: 'TRUST_PROXY', problem, example: '10.0.0.0/8' }, null);
  }
  return networks.text.split(',');
}
