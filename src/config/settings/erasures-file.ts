import { statSync } from 'node:fs';
import type { SettingSource } from '../read-value.js';
import type { DatabaseSettings } from './database-url.js';

const VARIABLE = 'ERASURES_FILE';
const EXAMPLE = '/var/lib/vendor-reporting/erasures.ndjson';

/**
 * Reads ERASURES_FILE. By default the file is beside the SQLite database file, or in the folder
 * `data` for a database on a server.
 */
export function readErasuresFile(source: SettingSource, database: DatabaseSettings): string {
  const path = source.valueOf(VARIABLE);
  if (path === undefined) {
    const beside = database.dialect === 'sqlite' ? database.path : `data/${database.database}`;
    return `${beside}.erasures.ndjson`;
  }
  return isFolder(path)
    ? source.invalid(VARIABLE, 'must be a file, not a folder', EXAMPLE, path)
    : path;
}

/**
 * Returns whether the path is a folder. If the path cannot be inspected, the code that opens it
 * reports the error.
 */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
