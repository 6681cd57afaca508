import type { Row } from './support/builders/access-row.js';

/**
 * A request for each operation of the modules in src/extensions.ts, which every test of all
 * operations sends.
 */
export const EXTENSION_ROWS: readonly Row[] = [];
