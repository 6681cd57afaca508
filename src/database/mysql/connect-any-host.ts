import type { DataSource } from 'typeorm';
import { isError } from '../../common/is-error.js';
import type { DatabaseSettings } from '../../config/database-url.js';
import { createDataSource, type Schema } from '../data-source.js';
import { mapDriverError } from './mysql-connection.js';
import { mayBeDoneElsewhere } from '../retry.js';

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
  if (database.dialect === 'sqlite') return connect(createDataSource(database, schema), work);
  let last: unknown;
  for (const host of database.hosts) {
    try {
      return await connect(createDataSource(database, schema, host), work);
    } catch (error) {
      if (!isError(error) || !mayBeDoneElsewhere(mapDriverError(error))) throw error;
      last = error;
    }
  }
  throw last;
}

async function connect<Result>(
  dataSource: DataSource,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  await dataSource.initialize();
  try {
    return await work(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}
