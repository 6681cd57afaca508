import { existsSync, readFileSync } from 'node:fs';

const HERE = new URL('./', import.meta.url);
/** True in the bundle, since the build copies the folder `assets` beside it. */
const IS_BUNDLE = existsSync(new URL('assets/', HERE));

/** The folder of package.json, which is above `src` and above the bundle. */
export const PROJECT = new URL(IS_BUNDLE ? '../' : '../../../', HERE);

/** The folder of the bundle, which also contains the files of threads. */
export const BUNDLE = IS_BUNDLE ? HERE : new URL('dist/', PROJECT);

/** The folder that contains `assets` and `openapi`. */
export const FILES = IS_BUNDLE ? HERE : PROJECT;

/** The folder of the packages from which files are served. */
export const PACKAGES = new URL(IS_BUNDLE ? 'packages/' : 'node_modules/', FILES);

/** The version of the service, from package.json. */
export const VERSION = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('package.json', PROJECT), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
}
