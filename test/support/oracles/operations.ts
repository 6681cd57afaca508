import { resultOf } from '../http/results.js';
import type { TestService } from '../servers/service.js';

export interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Versions of the API for vendors; VERSIONS has all versions. */
export const VENDOR_VERSIONS = ['3.0', '2.1', '2.0'] as const;
export const VERSIONS = [...VENDOR_VERSIONS, 'ledger-1'] as const;

/** Returns the path with which the operations of a version begin. */
export function pathOfVersion(version: string): string {
  return version === 'ledger-1' ? '/ledger/v1' : `/v${version}`;
}

/**
 * Returns the version of an operation such as `GET /v2.1/products/names`, or an empty text if it
 * has none.
 */
export function versionOf(operation: string): string {
  if (operation.includes(' /ledger/v1')) return 'ledger-1';
  return /^\S+ \/v(\d\.\d)\//.exec(operation)?.[1] ?? '';
}

/** Returns the name of a version in files and pages. */
export function fileOfVersion(version: string): string {
  return version === 'ledger-1' ? version : `v${version}`;
}

/**
 * Returns every operation of a version in the router's list, such as `GET /v2.1/products/names`.
 */
export async function operationsOf(
  service: TestService,
  version: string,
  key: string,
): Promise<string[]> {
  const { operations } = await resultOf(service, pathOfVersion(version), key);
  return (operations as Operation[]).map(({ method, path }) => `${method} ${path}`).sort();
}

/**
 * Returns the path template that matches the path of a request. Its last parameter may be absent.
 */
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
