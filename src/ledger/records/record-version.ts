import type { RecordFields } from './record-fields.js';

/**
 * Adds to a record the version that its source raises with each change of the record. It is from 0
 * to 2^53-1, or null if the source sends none. See docs/ledger-file.md#versions.
 */
export interface Versioned<Content extends object> {
  readonly content: Content;
  readonly record_version: number | null;
}

/**
 * Splits records for their statements. New records are inserted, so that the statement fails, and
 * the session is repeated, if another writer has just added one of them.
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

/**
 * Returns true if a version is older than the stored one. A record without a version counts as
 * older than any version, so that a source without versions never undoes one that has them.
 */
export function isOlder(version: number | null, stored: number | null): boolean {
  return stored !== null && (version === null || version < stored);
}
