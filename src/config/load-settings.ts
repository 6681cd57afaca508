import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { shownText } from '../common/shown-text.js';
import { mistypedSettings } from './mistyped-settings.js';
import { readSettings, type Environment, type Settings } from './settings.js';

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
  for (const { name, setting } of mistypedSettings(loadEnvironment())) {
    const line = `${shownText(name)} is not a known setting. Did you mean ${setting}?`;
    const isDemoOff = setting === 'DATABASE_URL' && !(process.env.DATABASE_URL ?? '');
    process.stderr.write(`Warning: ${line}${isDemoOff ? ' No demo ledger is loaded.' : ''}\n`);
  }
}

function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}
