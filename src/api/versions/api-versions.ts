/**
 * The supported API versions: those of the vendor interface and the ledger interface. Operations of
 * a version begin with its `path`.
 */
export const API_VERSIONS = {
  '3.0': { status: 'current', path: '/v3.0' },
  '2.1': { status: 'supported', path: '/v2.1' },
  '2.0': { status: 'supported', path: '/v2.0' },
  'ledger-1': { status: 'current', path: '/ledger/v1' },
} as const;

export type ApiVersion = keyof typeof API_VERSIONS;

export const VERSIONS: readonly ApiVersion[] = Object.keys(API_VERSIONS).filter(isApiVersion);

/** The versions that Nest routes by their number, such as `/v3.0`. */
export const VENDOR_VERSIONS = ['3.0', '2.1', '2.0'] as const satisfies readonly ApiVersion[];

/**
 * Controllers of the ledger interface begin with this path. They have no version in the sense of
 * Nest.
 */
export const LEDGER_PATH = 'ledger/v1';

const DEFAULT_VERSION: ApiVersion = '3.0';
const LEDGER = /^\/ledger(?:[/?#]|$)/;

/** Returns the version named in the path, or 3.0 if there is none. */
export function versionOfPath(path: string): ApiVersion {
  const named = /^\/v(\d\.\d)(?:[/?#]|$)/.exec(path)?.[1];
  if (named !== undefined && isApiVersion(named)) return named;
  return LEDGER.test(path) ? 'ledger-1' : DEFAULT_VERSION;
}

/** Returns the word for a version in the names of files and pages: `v3.0`, `ledger-1`. */
export function slugOf(version: ApiVersion): string {
  return version === 'ledger-1' ? version : `v${version}`;
}

/** Returns the name of a version in titles. Within a sentence it is used in lower case. */
export function titleOf(version: ApiVersion): string {
  return version === 'ledger-1' ? 'Ledger interface 1' : `Version ${version}`;
}

function isApiVersion(text: string): text is ApiVersion {
  return Object.hasOwn(API_VERSIONS, text);
}

/** Returns true for a path that names a version. All other paths are pages, or unknown. */
export function isApiPath(path: string): boolean {
  return /^\/v\d/.test(path) || LEDGER.test(path);
}
