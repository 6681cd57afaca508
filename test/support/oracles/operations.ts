import { EXTENSION_ROWS } from '../../extensions.js';
import { resultOf } from '../http/results.js';
import type { TestService } from '../servers/service.js';

export interface Operation {
  readonly method: string;
  readonly path: string;
}

/** The versions of the vendor interface, and all of them. */
export const VENDOR_VERSIONS = ['3.0', '2.1', '2.0'] as const;
export const VERSIONS = [...VENDOR_VERSIONS, 'ledger-1'] as const;

/** Where the operations of a version begin. */
export function pathOfVersion(version: string): string {
  return version === 'ledger-1' ? '/ledger/v1' : `/v${version}`;
}

/** The version of an operation that is named `GET /v2.1/products/names`; empty if it has none. */
export function versionOf(operation: string): string {
  if (operation.includes(' /ledger/v1')) return 'ledger-1';
  return /^\S+ \/v(\d\.\d)\//.exec(operation)?.[1] ?? '';
}

/** The name of a version in files and pages. */
export function fileOfVersion(version: string): string {
  return version === 'ledger-1' ? version : `v${version}`;
}

/** False for an operation of a module that was added; it is named `GET /v2.1/products/names`. */
export function isOwnOperation(name: string): boolean {
  return EXTENSION_ROWS.every(({ operation }) => operation !== name);
}

/** Every operation of a version that the router says it has: `GET /v2.1/products/names`. */
export async function operationsOf(
  service: TestService,
  version: string,
  key: string,
): Promise<string[]> {
  const { operations } = await resultOf(service, pathOfVersion(version), key);
  return (operations as Operation[]).map(({ method, path }) => `${method} ${path}`).sort();
}

/** The operation that takes a path as a request sends it; its last parameter may be left out. */
export function templateOf(operations: readonly Operation[], target: string): string | undefined {
  const path = target.replace(/\?.*/s, '').replace(/\/+$/, '');
  const templates = operations.map((operation) => operation.path);
  return (
    templates.find((template) => matches(template, path)) ??
    templates.find((template) => matches(template.replace(/\/\{\w+\}$/, ''), path))
  );
}

function matches(template: string, path: string): boolean {
  const [wanted, found] = [template.split('/'), path.split('/')];
  const fits = (part: string, at: number) =>
    part.startsWith('{') ? found[at] !== '' : part === found[at];
  return wanted.length === found.length && wanted.every(fits);
}
