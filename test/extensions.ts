import type { Row } from './support/builders/access-row.js';

/** A request for each operation of the modules in src/extensions.ts; every test of all operations sends it. */
export const EXTENSION_ROWS: readonly Row[] = [];
