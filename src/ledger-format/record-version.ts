import type { RecordFields } from './record-fields.js';

/**
 * A record with the version that its source raises with each change of it (ledger interface: Records
 * in), 0 to 2^53-1; null if the source gives none.
 */
export interface Versioned<Content extends object> {
  readonly content: Content;
  readonly record_version: number | null;
}

/** A record to be stored, and what is stored now, if anything. */
export interface RecordChange<Content extends object> extends Versioned<Content> {
  readonly before: Content | undefined;
}

/**
 * Splits records for their statements: what is new is inserted, so that it fails, and is done again, where
 * another writer has just added it.
 */
export function addedAndChanged<One extends { readonly before: object | undefined }>(
  records: readonly One[],
): { readonly added: One[]; readonly changed: One[] } {
  return {
    added: records.filter(({ before }) => before === undefined),
    changed: records.filter(({ before }) => before !== undefined),
  };
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
