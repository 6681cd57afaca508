import { readSettings, type Environment, type Settings } from '../../../src/config/settings.js';

export const SECRET = 'a secret of exactly 32 characters';

/** What a process reads that is told nothing else but these. */
export function settingsOf(environment: Environment): Settings {
  return readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET: SECRET, ...environment });
}

/** The one line that an operator reads. */
export function complaintAbout(environment: Environment): string {
  try {
    settingsOf(environment);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no complaint';
}
