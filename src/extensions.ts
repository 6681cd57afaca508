import type { Extension } from './extension.js';

/** The modules that this back office added. One line each; nothing else has to know them. */
export const EXTENSIONS: readonly Extension[] = [];
