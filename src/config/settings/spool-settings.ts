import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { readInteger, type SettingSource } from '../read-value.js';

const MEBIBYTE = 1_048_576;
/** Range of RECORDS_SPOOL_MB. The minimum fits one request, which has up to 32 MiB. */
const MEBIBYTES = [32, 65_536] as const;

export interface SpoolSettings {
  readonly folder: string;
  /** Maximum number of bytes of all requests of a process together. */
  readonly maxBytes: number;
}

/** Reads the settings RECORDS_SPOOL_*. */
export function readSpool(source: SettingSource): SpoolSettings {
  return {
    folder: readFolder(source),
    maxBytes: readInteger(source, 'RECORDS_SPOOL_MB', MEBIBYTES, 256) * MEBIBYTE,
  };
}

function readFolder(source: SettingSource): string {
  const folder = source.valueOf('RECORDS_SPOOL_FOLDER');
  if (folder === undefined) return tmpdir();
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder
    ? folder
    : source.invalid('RECORDS_SPOOL_FOLDER', 'must be a folder', '/var/tmp', folder);
}
