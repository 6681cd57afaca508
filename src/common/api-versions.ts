/** The interface versions served, and what each one is (interface 9). */
export const API_VERSIONS = {
  '3.0': { status: 'current' },
  '2.1': { status: 'supported' },
  '2.0': { status: 'supported' },
} as const;

export type ApiVersion = keyof typeof API_VERSIONS;

export const VERSIONS: readonly ApiVersion[] = Object.keys(API_VERSIONS).filter(isApiVersion);

const DEFAULT_VERSION: ApiVersion = '3.0';

/** The version that a path names; a path that names none is answered as 3.0. */
export function versionOfPath(path: string): ApiVersion {
  const named = /^\/v(\d\.\d)(?:[/?#]|$)/.exec(path)?.[1];
  return named !== undefined && isApiVersion(named) ? named : DEFAULT_VERSION;
}

function isApiVersion(text: string): text is ApiVersion {
  return Object.hasOwn(API_VERSIONS, text);
}

/** True for a path that names a version: all others are for people, or unknown. */
export function isOfInterface(path: string): boolean {
  return /^\/v\d/.test(path);
}
