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

/** A version of the service itself. */
export type CoreVersion = keyof typeof API_VERSIONS;

/** A version of an extension, such as `notes-1`, whose operations begin with `/extensions/notes/v1`. */
export type ExtensionVersion = `${string}-${number}`;

export type ApiVersion = CoreVersion | ExtensionVersion;

export const VERSIONS: readonly CoreVersion[] = Object.keys(API_VERSIONS).filter(isCoreVersion);

/** The versions that Nest routes by their number, such as `/v3.0`. */
export const VENDOR_VERSIONS = ['3.0', '2.1', '2.0'] as const satisfies readonly CoreVersion[];

/**
 * Controllers of the ledger interface begin with this path. They have no version in the sense of
 * Nest.
 */
export const LEDGER_PATH = 'ledger/v1';

/** The server of the Model Context Protocol. Its errors are those of JSON-RPC. */
export const MCP_PATH = '/mcp';

const DEFAULT_VERSION: CoreVersion = '3.0';
const LEDGER = /^\/ledger(?:[/?#]|$)/;
/** Matches a path that may name a version of an extension. */
const EXTENSION = /^\/extensions\/([a-z][a-z0-9-]{0,39})\/v([1-9]\d?)(?:[/?#]|$)/;
/** Versions of installed extensions. Other paths below /extensions name none. */
// oxlint-disable-next-line house/nothing-lasts -- extensions are loaded once, when the process starts
const INSTALLED = new Set<ExtensionVersion>();

/** Makes the paths of a version of an extension name it. */
export function installVersion(extension: string, number: number): void {
  INSTALLED.add(extensionVersion(extension, number));
}

/** Returns the version named in the path, or 3.0 if there is none. */
export function versionOfPath(path: string): ApiVersion {
  const named = /^\/v(\d\.\d)(?:[/?#]|$)/.exec(path)?.[1];
  if (named !== undefined && isCoreVersion(named)) return named;
  if (LEDGER.test(path)) return 'ledger-1';
  return installedVersionOf(path) ?? DEFAULT_VERSION;
}

function installedVersionOf(path: string): ExtensionVersion | null {
  if (INSTALLED.size === 0) return null;
  const [, extension = '', number] = EXTENSION.exec(path) ?? [];
  const version = extensionVersion(extension, Number(number));
  return INSTALLED.has(version) ? version : null;
}

/** Returns the name of a version of an extension: `notes-1`. */
export function extensionVersion(extension: string, number: number): ExtensionVersion {
  return `${extension}-${number}`;
}

/** Returns the path with which the operations of a version of an extension begin. */
export function extensionPath(extension: string, number: number): string {
  return `/extensions/${extension}/v${number}`;
}

/** Returns the path with which the operations of a version begin. */
export function pathOfVersion(version: ApiVersion): string {
  return isCoreVersion(version) ? API_VERSIONS[version].path : extensionPath(...partsOf(version));
}

/** Returns the extension and the number of one of its versions. */
function partsOf(version: ExtensionVersion): [extension: string, number: number] {
  const dash = version.lastIndexOf('-');
  return [version.slice(0, dash), Number(version.slice(dash + 1))];
}

/** Returns the word for a version in the names of files and pages: `v3.0`, `ledger-1`, `notes-1`. */
export function slugOf(version: ApiVersion): string {
  return isCoreVersion(version) && version !== 'ledger-1' ? `v${version}` : version;
}

/** Returns the name of a version in titles. Within a sentence it is used in lower case. */
export function titleOf(version: ApiVersion): string {
  if (!isCoreVersion(version)) return `Extension ${partsOf(version).join(' ')}`;
  return version === 'ledger-1' ? 'Ledger interface 1' : `Version ${version}`;
}

export function isCoreVersion(text: string): text is CoreVersion {
  return Object.hasOwn(API_VERSIONS, text);
}

/** Returns true for a path that names a version. All other paths are pages, or unknown. */
export function isApiPath(path: string): boolean {
  return /^\/v\d/.test(path) || LEDGER.test(path) || installedVersionOf(path) !== null;
}

/**
 * Returns true for a path that only programs call: those of the interfaces and of the server of the
 * Model Context Protocol. Errors there are never pages.
 */
export function isForPrograms(path: string): boolean {
  return FOR_PROGRAMS.some((begin) => path === begin || path.startsWith(`${begin}/`));
}

const FOR_PROGRAMS = [
  ...VENDOR_VERSIONS.map((version) => API_VERSIONS[version].path),
  '/ledger',
  MCP_PATH,
];
