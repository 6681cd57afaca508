import { recordOf } from '../common/record-of.js';
import type { SqlRow } from './database.js';

/**
 * The values of a row by the names of its columns.
 * @typeParam Named what the columns hold; as for `Reader.rows`, the caller vouches for it
 */
export function namedRow<Named extends object>(
  columns: readonly (keyof Named & string)[],
  row: SqlRow,
): Named {
  return recordOf(columns, (_, index) => row[index]) as Named;
}
