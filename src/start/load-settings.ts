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
import type { LoadedExtension } from '../feature.js';
import { FEATURES } from '../features.js';

function declaredBy(extensions: readonly LoadedExtension[]) {
  return [...FEATURES, ...extensions.map(({ declaration }) => declaration)].flatMap(
    ({ settings = {} }) => Object.values(settings),
  );
}

/** Returns the names of all settings, those of features and extensions included. */
export function allSettingNames(extensions: readonly LoadedExtension[]): readonly string[] {
  return settingNames(declaredBy(extensions));
}

/** Names of the settings of the service and its features. */
export const SETTING_NAMES: readonly string[] = allSettingNames([]);

/** @throws SettingsError with one line per invalid setting; none contains a secret */
export function readSettings(
  environment: Environment,
  extensions: readonly LoadedExtension[] = [],
): Settings {
  return checkedSettings(environment, declaredBy(extensions));
}

/**
 * Reads the settings from the environment and the file `.env`; the environment takes precedence.
 */
export function loadSettings(extensions: readonly LoadedExtension[] = []): Settings {
  return readSettings(loadEnvironment(), extensions);
}

/**
 * Warns of variables that look like misspelled settings. Only the first process of a start calls
 * it.
 */
export function warnOfMistypedSettings(extensions: readonly LoadedExtension[]): void {
  const names = allSettingNames(extensions);
  for (const { name, setting } of mistypedSettings(loadEnvironment(), names)) {
    const line = `${shownText(name)} is not a known setting. Did you mean ${setting}?`;
    const isDemoOff = setting === 'DATABASE_URL' && !(process.env.DATABASE_URL ?? '');
    process.stderr.write(`Warning: ${line}${isDemoOff ? ' No demo ledger is loaded.' : ''}\n`);
  }
}

/** Returns the environment with the settings of the file `.env`. */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}
