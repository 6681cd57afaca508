import { existsSync } from 'node:fs';

const HERE = new URL('./', import.meta.url);
/** The build copies the files that are served beside the bundle. */
const IS_BUNDLE = existsSync(new URL('assets/', HERE));

/** The folder of package.json, which is above `src` and above the bundle. */
export const PROJECT = new URL(IS_BUNDLE ? '../' : '../../', HERE);

/** The folder of the bundle, where the files of threads are. */
export const BUNDLE = IS_BUNDLE ? HERE : new URL('dist/', PROJECT);

/** The folder of `assets` and `openapi`. */
export const FILES = IS_BUNDLE ? HERE : PROJECT;

/** The folder of the packages that files are served from. */
export const PACKAGES = new URL(IS_BUNDLE ? 'packages/' : 'node_modules/', FILES);
