import type { Extension } from './extension.js';

/** The added modules, one line each. Nothing else refers to them. */
export const EXTENSIONS: readonly Extension[] = [];
