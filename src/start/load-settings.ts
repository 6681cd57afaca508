import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { shownText } from '../platform/values/shown-text.js';
import { mistypedSettings } from '../config/mistyped-settings.js';
import {
  checkedSettings,
  settingNames,
  type Environment,
  type Settings,
} from '../config/settings.js';
import { EXTENSIONS } from '../extensions.js';
import { FEATURES } from '../features.js';

const DECLARED = [...FEATURES, ...EXTENSIONS].flatMap(({ settings = {} }) =>
  Object.values(settings),
);
/** Names of all settings, those of features included. */
export const SETTING_NAMES: readonly string[] = settingNames(DECLARED);

/** @throws SettingsError with one line per invalid setting; none contains a secret */
export function readSettings(environment: Environment): Settings {
  return checkedSettings(environment, DECLARED);
}

/**
 * Reads the settings from the environment and the file `.env`; the environment takes precedence.
 */
export function loadSettings(): Settings {
  return readSettings(loadEnvironment());
}

/**
 * Warns of variables that look like misspelled settings. Only the first process of a start calls
 * it.
 */
export function warnOfMistypedSettings(): void {
  for (const { name, setting } of mistypedSettings(loadEnvironment(), SETTING_NAMES)) {
    const line = `${shownText(name)} is not a known setting. Did you mean ${setting}?`;
    const isDemoOff = setting === 'DATABASE_URL' && !(process.env.DATABASE_URL ?? '');
    process.stderr.write(`Warning: ${line}${isDemoOff ? ' No demo ledger is loaded.' : ''}\n`);
  }
}

function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}
