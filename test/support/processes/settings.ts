import type { Environment, Settings } from '../../../src/config/settings.js';
import { readSettings } from '../../../src/start/load-settings.js';

export const SECRET = 'a secret of exactly 32 characters';

/** Returns the settings of a process with the required settings and this environment. */
export function settingsOf(environment: Environment): Settings {
  return readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET: SECRET, ...environment });
}

/** Returns the error message for an operator with this environment. */
export function complaintAbout(environment: Environment): string {
  try {
    settingsOf(environment);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no complaint';
}
