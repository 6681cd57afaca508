import { tmpdir } from 'node:os';
import { readInteger, type SettingSource } from '../read-value.js';

const MEBIBYTE = 1_048_576;
/** A request has up to 32 MiB. */
const MEBIBYTES = [32, 65_536] as const;

export interface SpoolSettings {
  readonly folder: string;
  /** All requests of a process together. */
  readonly maxBytes: number;
}

/** Reads RECORDS_SPOOL_*. */
export function readSpool(source: SettingSource): SpoolSettings {
  return {
    folder: source.valueOf('RECORDS_SPOOL_FOLDER') ?? tmpdir(),
    maxBytes: readInteger(source, 'RECORDS_SPOOL_MB', MEBIBYTES, 256) * MEBIBYTE,
  };
}
