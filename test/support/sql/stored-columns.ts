import type { RawConnection } from './raw-connection.js';

/**
 * Returns the columns of a MySQL or MariaDB table that a statement can write: all but generated
 * ones.
 */
export async function storedColumns(
  raw: Pick<RawConnection, 'rows'>,
  table: string,
): Promise<string[]> {
  const columns = await raw.rows(`SHOW COLUMNS FROM ${table}`);
  return columns
    .filter(({ Extra }) => !String(Extra).startsWith('VIRTUAL GENERATED'))
    .map(({ Field }) => String(Field));
}
