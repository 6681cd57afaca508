import { readFileSync } from 'node:fs';

/** The version of the service, which package.json alone says. */
export const VERSION = readVersion();

function readVersion(): string {
  // From src/ and from dist/ alike.
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
