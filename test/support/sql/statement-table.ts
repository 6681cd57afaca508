import type { SentStatement } from '../servers/recorded-service.js';
import { tableUsesOf, type TableUse } from './shard-keys.js';

/** The tables of a vendor's ledger: each has the vendor in its key. */
const OF_LEDGER = new Set([
  'transactions',
  'payout_items',
  'ledger_revisions',
  'sale_counts',
  'refund_counts',
  'vendor_sums',
  'affiliate_day_sums',
  'refund_cohorts',
  'unpaid_commissions',
  'tracking_sums',
  'tracking_values',
  'vendor_affiliates',
  'vendor_users',
]);
/** What SQLite has of its own: the start looks there for tables. */
const OF_SCHEMA = 'sqlite_master';
/** What may stand for the vendor, where the rows are an affiliate's. */
const AFFILIATE = 'affiliate_id';
/** By what a statement finds its rows, the first of these that it names. */
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

/** What is kept in memory for a while, or done beside a request: which one it is for, is chance. */
const OF_MANY: Readonly<Record<string, string>> = {
  key_hash: 'each request with a key',
  session_hash: 'each account page',
};

/** Statements that differ only in their columns, their conditions and in how many rows they are for. */
export interface StatementKind {
  /** `SELECT transactions, users` */
  readonly statement: string;
  /** What it names of the tables of the ledger, else of the first of its other tables that it names any of. */
  readonly keys: readonly string[];
  readonly touchesLedger: boolean;
  readonly works: readonly string[];
}

/** The kinds of statements that touch a table, those of the ledger first. */
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
    const isCommand = work.startsWith('keys ');
    const named = (isCommand ? undefined : OF_MANY[kind.keys.join()]) ?? work;
    if (!works.includes(named)) works.push(named);
    kinds.set(name, { ...kind, works });
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

/** True where each table of the ledger is asked for a vendor's rows, or for an affiliate's. */
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
