import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { readSettings, type Settings } from './settings.js';

/** The settings of this process: its environment, and below it what the file `.env` says. */
export function loadSettings(): Settings {
  if (existsSync('.env')) loadEnvFile('.env');
  return readSettings(process.env);
}
