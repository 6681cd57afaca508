import { readHost, type SettingSource } from '../read-value.js';

const PORT = 3_001;

export interface ManagementSettings {
  readonly host: string;
  /** TCP port; 0 for any free port, null to disable the server. */
  readonly port: number | null;
  /** True if the port is not set. The service then starts even if the port is in use. */
  readonly portIsDefault: boolean;
}

/** Reads MANAGEMENT_HOST and MANAGEMENT_PORT. */
export function readManagement(source: SettingSource): ManagementSettings {
  const value = source.valueOf('MANAGEMENT_PORT');
  const host = readHost(source, 'MANAGEMENT_HOST');
  if (value === 'off') return { host, port: null, portIsDefault: false };
  const text = value ?? String(PORT);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    const problem = 'must be an integer from 0 to 65535, or off';
    source.invalid('MANAGEMENT_PORT', problem, String(PORT), null);
  }
  return { host, port: Number(text), portIsDefault: value === undefined };
}
