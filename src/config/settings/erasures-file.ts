import { statSync } from 'node:fs';
import type { SettingSource } from '../read-value.js';
import type { DatabaseSettings } from './database-url.js';

const VARIABLE = 'ERASURES_FILE';
const EXAMPLE = '/var/lib/vendor-reporting/erasures.ndjson';

/** Reads ERASURES_FILE: by default beside the file of the database; one on a server has no folder here. */
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

/** Of a path that this user may not look at, who uses it says so. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
