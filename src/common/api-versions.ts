/** The supported API versions (interface 9). */
export const API_VERSIONS = {
  '3.0': { status: 'current' },
  '2.1': { status: 'supported' },
  '2.0': { status: 'supported' },
} as const;

export type ApiVersion = keyof typeof API_VERSIONS;

export const VERSIONS: readonly ApiVersion[] = Object.keys(API_VERSIONS).filter(isApiVersion);

const DEFAULT_VERSION: ApiVersion = '3.0';

/** The version named in the path, or 3.0 if there is none. */
export function versionOfPath(path: string): ApiVersion {
  const named = /^\/v(\d\.\d)(?:[/?#]|$)/.exec(path)?.[1];
  return named !== undefined && isApiVersion(named) ? named : DEFAULT_VERSION;
}

function isApiVersion(text: string): text is ApiVersion {
  return Object.hasOwn(API_VERSIONS, text);
}

/** True for a path that names a version. All others are pages, or unknown. */
export function isApiPath(path: string): boolean {
  return /^\/v\d/.test(path);
}
