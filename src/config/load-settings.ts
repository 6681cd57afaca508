import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { shownText } from '../common/shown-text.js';
import { resemblingNames } from './resembling-names.js';
import { readSettings, type Environment, type Settings } from './settings.js';

const NO_DEMO = ' No demo ledger is loaded.';

/** The settings of this process: its environment, and below it what the file `.env` says. */
export function loadSettings(): Settings {
  return readSettings(loadEnvironment());
}

/** For the first process of a start: a setting with a mistyped name would be passed over in silence. */
export function warnOfMistypedSettings(): void {
  for (const { name, setting } of resemblingNames(loadEnvironment())) {
    const line = `${shownText(name)} is no setting and does nothing: was ${setting} meant?`;
    const isDemoOff = setting === 'DATABASE_URL' && !(process.env.DATABASE_URL ?? '');
    process.stderr.write(`Warning: ${line}${isDemoOff ? NO_DEMO : ''}\n`);
  }
}

function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}
