import { readInteger, type SettingSource } from '../read-value.js';

const MOST = [0, 10_000_000] as const;

/** Limits of the records that the sources and upstreams of one vendor create together. */
export interface SourceBounds {
  readonly users: number;
  readonly products: number;
}

/** Reads the settings SOURCE_MAX_*. */
export function readSourceBounds(source: SettingSource): SourceBounds {
  return {
    users: readInteger(source, 'SOURCE_MAX_USERS', MOST, 100_000),
    products: readInteger(source, 'SOURCE_MAX_PRODUCTS', MOST, 10_000),
  };
}
