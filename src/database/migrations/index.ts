import { Ledger1763700000000 } from './1763700000000-ledger.js';

/** In the order in which they run; a migration that has been released is never changed. */
export const MIGRATIONS = [Ledger1763700000000] as const;
