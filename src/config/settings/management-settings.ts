import { readHost, type SettingSource } from '../read-value.js';

const PORT = 3_001;

export interface ManagementSettings {
  readonly host: string;
  /** 0 lets the system choose; null where nothing listens. */
  readonly port: number | null;
  /** True where the port is not set: then another program on it is no reason not to start. */
  readonly portIsDefault: boolean;
}

/** Reads MANAGEMENT_HOST and MANAGEMENT_PORT. */
export function readManagement(source: SettingSource): ManagementSettings {
  const value = source.valueOf('MANAGEMENT_PORT');
  const host = readHost(source, 'MANAGEMENT_HOST');
  if (value === 'off') return { host, port: null, portIsDefault: false };
  const text = value ?? String(PORT);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    const problem = 'must be a whole number from 0 to 65535, or off';
    source.wrong({ variable: 'MANAGEMENT_PORT', problem, example: String(PORT) }, null);
  }
  return { host, port: Number(text), portIsDefault: value === undefined };
}
