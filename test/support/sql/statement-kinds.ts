import { LEDGER_TABLES } from '../../../testing/host/ledger-tables.js';
import type { SentStatement } from '../servers/recorded-service.js';
import { tableUsesOf, type TableUse } from '../../../testing/src/sql/table-uses.js';

const OF_LEDGER = new Set(LEDGER_TABLES);
/** SQLite's own table, in which a start looks for tables. */
const OF_SCHEMA = 'sqlite_master';
/** This column may replace the vendor if the rows belong to an affiliate. */
const AFFILIATE = 'affiliate_id';
/** Columns by which statements find their rows. The first one that a statement names counts. */
const KEYS = [
  'vendor_id',
  AFFILIATE,
  'transaction_id',
  'user_id',
  'application_id',
  'id',
  'pre_key',
  'key_hash',
  'session_hash',
  'sign_in_email',
];

/** Statements that differ only in their columns, conditions and number of rows. */
export interface StatementKind {
  /** Verb and tables, such as `SELECT transactions, users`. */
  readonly statement: string;
  /**
   * Keys by which the statement finds rows of ledger tables, or else of the first other table with
   * a key.
   */
  readonly keys: readonly string[];
  readonly touchesLedger: boolean;
  readonly works: readonly string[];
}

/** Returns the kinds of statements that touch a table, those of the ledger first. */
export function statementKinds(sent: readonly SentStatement[]): StatementKind[] {
  const kinds = new Map<string, StatementKind & { readonly works: string[] }>();
  for (const { sql, work } of sent) {
    const uses = tableUsesOf(sql).filter(({ table }) => table !== OF_SCHEMA);
    if (uses.length === 0 || work === 'migration') continue;
    const [verb = ''] = /\w+/.exec(sql.replace(/^WITH/, 'SELECT')) ?? [];
    const tables = [...new Set(uses.map(({ table }) => table))].sort();
    const kind = { statement: `${verb} ${tables.join(', ')}`, ...keysOf(uses), works: [] };
    const name = `${kind.touchesLedger ? 0 : 1} ${kind.statement} ${kind.keys.join()}`;
    const { works } = kinds.get(name) ?? kind;
    if (!works.includes(work)) works.push(work);
    kinds.set(name, { ...kind, works });
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

/** Returns true if a statement finds all rows of ledger tables by a vendor or an affiliate. */
export function namesWhose({ keys }: StatementKind): boolean {
  return keys.every((key) => key === 'vendor_id' || key === AFFILIATE);
}

function keysOf(uses: readonly TableUse[]): Pick<StatementKind, 'keys' | 'touchesLedger'> {
  const ofLedger = uses.filter(({ table }) => OF_LEDGER.has(table));
  const touchesLedger = ofLedger.length > 0;
  const named = (touchesLedger ? ofLedger : uses).map(keyOf);
  const keys = touchesLedger ? named : named.filter((key) => key !== 'nothing').slice(0, 1);
  return { keys: [...new Set(keys)].sort(), touchesLedger };
}

function keyOf({ named }: TableUse): string {
  return KEYS.find((key) => named.has(key)) ?? 'nothing';
}
