import type { RecordFields } from './record-fields.js';

/**
 * A record with the version that its source raises with each change of it (ledger interface: Records
 * in), 0 to 2^53-1; null if the source gives none.
 */
export interface Versioned<Content extends object> {
  readonly content: Content;
  readonly record_version: number | null;
}

export function readRecordVersion(fields: RecordFields): number | null {
  return fields.optionalInteger('record_version');
}

/** No version is older than any, so a source without versions never undoes one that has them. */
export function isOlder(version: number | null, stored: number | null): boolean {
  return stored !== null && (version === null || version < stored);
}

/** Splits a stored row into the record and its version. */
export function versionedOf<Row extends { readonly record_version: number | null }>({
  record_version,
  ...content
}: Row): Versioned<Omit<Row, 'record_version'>> {
  return { content, record_version };
}
