import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { readInteger, type SettingSource } from '../read-value.js';

const MEBIBYTE = 1_048_576;
/** Range of RECORDS_SPOOL_MB. The minimum fits one request, which has up to 32 MiB. */
const MEBIBYTES = [32, 65_536] as const;

export type SpoolSettings = Readonly<ReturnType<typeof readSpool>>;

/** Reads the settings RECORDS_SPOOL_*. */
export function readSpool(source: SettingSource) {
  return {
    folder: readFolder(source),
    /** Maximum number of bytes of all requests of a process together. */
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

const MOST = [0, 10_000_000] as const;

/** Limits of the records that the sources and upstreams of one vendor create together. */
export type SourceBounds = Readonly<ReturnType<typeof readSourceBounds>>;

/** Reads the settings SOURCE_MAX_*. */
export function readSourceBounds(source: SettingSource) {
  return {
    users: readInteger(source, 'SOURCE_MAX_USERS', MOST, 100_000),
    products: readInteger(source, 'SOURCE_MAX_PRODUCTS', MOST, 10_000),
  };
}
