import type { DataSource } from 'typeorm';
import { isError } from '../../common/errors/is-error.js';
import type { DatabaseSettings } from '../../config/settings/database-url.js';
import { createDataSource, type Schema } from '../data-source.js';
import { mapDriverError } from './mysql-connection.js';
import { mayBeDoneElsewhere } from '../retry.js';
import { onceFree } from '../sqlite/sqlite-busy.js';

/**
 * Connects to the first host on which `work` succeeds. The data source stays open then, for whoever asked
 * to close it.
 * @throws the error of the last host where none of them answers, and at once what another can not mend
 */
export async function connectAnyHost<Result>(
  database: DatabaseSettings,
  schema: Schema,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  if (database.dialect === 'sqlite') {
    // Where several processes open a new file at once, SQLite refuses WAL without waiting by itself.
    return usingOpened(await onceFree(() => createDataSource(database, schema).initialize()), work);
  }
  let last: unknown;
  for (const host of database.hosts) {
    try {
      const dataSource = await createDataSource(database, schema, host).initialize();
      return await usingOpened(dataSource, work);
    } catch (error) {
      if (!isError(error) || !mayBeDoneElsewhere(mapDriverError(error))) throw error;
      last = error;
    }
  }
  throw last;
}

async function usingOpened<Result>(
  dataSource: DataSource,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
