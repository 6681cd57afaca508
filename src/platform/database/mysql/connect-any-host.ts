import type { DataSource } from 'typeorm';
import { isError } from '../../errors/is-error.js';
import type { DatabaseSettings } from '../../../config/settings/database-url.js';
import { createDataSource, type Schema } from '../data-source.js';
import { mapDriverError } from './mysql-connection.js';
import { checkServerSettings, SELECT_SERVER_SETTINGS } from './server-settings.js';
import { isRetryableElsewhere } from '../retry.js';
import { retryWhileBusy } from '../sqlite/sqlite-busy.js';

/**
 * Connects to the first host on which `work` succeeds. The caller must close the data source.
 * @throws the error of the last host, or immediately an error that would occur on every host
 */
export async function connectAnyHost<Result>(
  database: DatabaseSettings,
  schema: Schema,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  if (database.dialect === 'sqlite') {
    // If several processes open a new file at once, SQLite fails to set WAL without waiting.
    return usingOpened(
      await retryWhileBusy(() => createDataSource(database, schema).initialize()),
      work,
    );
  }
  let last: unknown;
  for (const host of database.hosts) {
    try {
      const dataSource = await createDataSource(database, schema, host).initialize();
      return await usingOpened(dataSource, async (opened) => {
        await checkServer(opened);
        return work(opened);
      });
    } catch (error) {
      if (!isError(error) || !isRetryableElsewhere(mapDriverError(error))) throw error;
      last = error;
    }
  }
  throw last;
}

async function checkServer(dataSource: DataSource): Promise<void> {
  const rows =
    await dataSource.query<{ readonly Variable_name: string; readonly Value: string }[]>(
      SELECT_SERVER_SETTINGS,
    );
  checkServerSettings(new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value])));
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
