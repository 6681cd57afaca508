import { readFileSync } from 'node:fs';
import { PROJECT } from './project-files.js';

/** The version of the service, from package.json. */
export const VERSION = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('package.json', PROJECT), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
