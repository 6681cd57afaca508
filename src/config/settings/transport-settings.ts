import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { AddressList } from '../../platform/values/address-list.js';
import { isError } from '../../platform/errors/is-error.js';
import { type SettingSource, SettingError } from '../read-value.js';

const MAX_HOPS = 16;
const EXAMPLE = '/etc/ssl/service.pem';

/** Paths of a certificate with its chain and of its key, both in PEM. */
type TlsFiles = Readonly<Record<'certificate' | 'key', string>>;

export type TransportSettings = Readonly<ReturnType<typeof readTransport>>;

/** Reads TLS_CERT, TLS_KEY, TRUST_PROXY and REQUIRE_HTTPS. */
export function readTransport(source: SettingSource) {
  const requireHttps = source.flag('REQUIRE_HTTPS', source.isProduction);
  return {
    /** Null for plain HTTP. */
    tls: readTlsFiles(source),
    /** Number of trusted proxies, or their networks; null for none. */
    trustProxy: readTrustProxy(source),
    requireHttps,
  };
}

/**
 * Returns options of tls.createServer.
 * @throws SettingError if a file cannot be read, or certificate and key do not match
 */
export function loadTls({ certificate, key }: TlsFiles) {
  const context = { cert: readPem('TLS_CERT', certificate), key: readPem('TLS_KEY', key) };
  try {
    createSecureContext(context);
  } catch (error) {
    const why = isError(error) ? error.message : 'unusable';
    const problem = `and TLS_KEY must be a certificate and its key in PEM (${why})`;
    throw new SettingError('TLS_CERT', problem, EXAMPLE);
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

const VARIABLE = 'PUBLIC_URL';
/** Matches paths whose segments every proxy passes on unchanged. */
const PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/;
/** Matches paths that begin like the service's own paths, and would be confused with them. */
const OWN_PATH = /^\/(?:account|assets|docs|health|ledger|mcp|openapi|v\d[^/]*)(?:\/|$)/;

/**
 * Reads PUBLIC_URL, at which browsers reach the service. Links that the service creates begin with
 * it, and never with the host that a request names.
 * @returns the origin, and the path if the service is below one, without a slash at the end, or
 * null
 */
export function readPublicUrl(source: SettingSource, requireHttps: boolean): string | null {
  const text = source.valueOf(VARIABLE);
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !requireHttps);
  if (url !== null && isAllowed) {
    const path = url.pathname.replace(/\/$/, '');
    // The URL may consist only of origin and path, without a user, query or fragment.
    const isBare = url.href.replace(/\/$/, '') === url.origin + path;
    if (isBare && PATH.test(path) && !OWN_PATH.test(path)) return url.origin + path;
  }
  const schemes = requireHttps ? 'https://' : 'https:// or http://';
  const problem = `must be ${schemes} and a host, and may have a path such as /reports that is none of the service's own`;
  return source.invalid(VARIABLE, problem, 'https://reports.example.com', null);
}

/** @returns path below which the service is reached, such as `/reports`; empty if there is none */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

const PORT = 3_001;

export type ManagementSettings = Readonly<ReturnType<typeof readManagement>>;

/** Reads MANAGEMENT_HOST and MANAGEMENT_PORT. */
export function readManagement(source: SettingSource) {
  const value = source.valueOf('MANAGEMENT_PORT');
  const host = source.host('MANAGEMENT_HOST');
  const text = value ?? String(PORT);
  if (text !== 'off' && (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)) {
    const problem = 'must be an integer from 0 to 65535, or off';
    source.invalid('MANAGEMENT_PORT', problem, String(PORT), null);
  }
  return {
    host,
    /** TCP port; 0 for any free port, null to disable the server. */
    port: text === 'off' ? null : Number(text),
    /** True if the port is not set. The service then starts even if the port is in use. */
    portIsDefault: value === undefined,
  };
}
