import { readHost, valueOf, type Environment } from './read-value.js';
import { SettingError } from './setting-error.js';

const PORT = 3_001;

export interface ManagementSettings {
  readonly host: string;
  /** 0 lets the system choose; null where nothing listens. */
  readonly port: number | null;
  /** True where the port is not set: then another program on it is no reason not to start. */
  readonly portIsDefault: boolean;
}

/** Reads MANAGEMENT_HOST and MANAGEMENT_PORT. */
export function readManagement(environment: Environment): ManagementSettings {
  const value = valueOf(environment, 'MANAGEMENT_PORT');
  const host = readHost(environment, 'MANAGEMENT_HOST');
  if (value === 'off') return { host, port: null, portIsDefault: false };
  const text = value ?? String(PORT);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new SettingError(
      'MANAGEMENT_PORT',
      'must be a whole number from 0 to 65535, or off',
      String(PORT),
    );
  }
  return { host, port: Number(text), portIsDefault: value === undefined };
}
