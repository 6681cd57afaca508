import { readFileSync } from 'node:fs';

/** The version of the service, from package.json. */
export const VERSION = readVersion();

function readVersion(): string {
  // The same path from src/ and from dist/.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
