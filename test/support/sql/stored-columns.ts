import type { RawConnection } from './raw-connection.js';

/** The columns of a table on MySQL or MariaDB that a statement can write: all but those that the database derives. */
export async function storedColumns(
  raw: Pick<RawConnection, 'rows'>,
  table: string,
): Promise<string[]> {
  const columns = await raw.rows(`SHOW COLUMNS FROM ${table}`);
  return columns
    .filter(({ Extra }) => !String(Extra).startsWith('VIRTUAL GENERATED'))
    .map(({ Field }) => String(Field));
}
