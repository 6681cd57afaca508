import type { FeedMeta } from '../../api/envelope/envelope.js';
import { CENTS, parseDecimal } from '../../platform/values/money.js';
import { isRecord } from '../../platform/values/is-record.js';
import { columnsWith, fieldOf, ruleOf, type ColumnName } from '../../ledger/columns.js';

/** An object as the service sent it. */
export type Content = Readonly<Record<string, unknown>>;
export interface Change {
  readonly sequence: number;
  readonly kind: string;
  readonly content: Content;
}

/** A page of the feed of changes (docs/changes.md). */
export interface FeedPage extends FeedMeta {
  readonly changes: readonly Change[];
}

type Value = string | number | null;

interface CopyColumn {
  readonly name: string;
  readonly type: 'TEXT' | 'INTEGER';
  /** Path of the value in the content, such as `['payouts', 'service_fee']`. */
  readonly path: readonly string[];
  /** True for an amount such as `47.00`, which is stored as 4700. */
  readonly isMoney: boolean;
}

export interface CopyTable {
  readonly name: string;
  /** Number of columns, counted from the first, that form the primary key. */
  readonly keys: number;
  readonly columns: readonly CopyColumn[];
}

const text = (name: string, ...path: string[]) => column(name, 'TEXT', path);
const integer = (name: string, ...path: string[]) => column(name, 'INTEGER', path);

/** Tables of a copy by the kind of change. Each has a last column `json`, with the whole object. */
export const COPY_TABLES: Readonly<Record<string, CopyTable>> = {
  transaction: {
    name: 'transactions',
    keys: 1,
    columns: columnsWith({ list: true }).map(listed),
  },
  recurring_payment: {
    name: 'recurring_payments',
    keys: 1,
    columns: [
      text('pre_key', 'preKey'),
      integer('product_id'),
      text('status'),
      text('next_payment'),
      text('next_date'),
      cents('price'),
      integer('payment_count'),
    ],
  },
  relationship: {
    name: 'relationships',
    keys: 2,
    columns: [integer('affiliate_id'), integer('product_id'), text('status'), text('created')],
  },
  product: { name: 'products', keys: 1, columns: [integer('product_id'), text('product_name')] },
  affiliate: { name: 'affiliates', keys: 1, columns: [integer('id'), text('display_name')] },
};

/**
 * Returns the values of the columns, and the JSON.
 * @throws FollowError if the content lacks its key, or has a value of the wrong type
 */
export function valuesOf({ name, keys, columns }: CopyTable, content: Content): Value[] {
  const values = columns.map((each) => valueOf(each, content));
  if (values.slice(0, keys).includes(null)) {
    throw new FollowError(`the service sent an entry of ${name} without its key`);
  }
  // Parsing and formatting again reproduces the bytes that the service sent.
  return [...values, JSON.stringify(content)];
}

/**
 * Returns the key of a removed object.
 * @param key as the feed has it; the parts of a key of several columns are separated by slashes
 * @throws FollowError if it is not a key of the table
 */
export function removedKeyOf({ name, keys, columns }: CopyTable, key: string): Value[] {
  const parts = keys === 1 ? [key] : key.split('/');
  const values = columns.slice(0, keys).map(({ type }, at) => {
    const part = parts[at] ?? '';
    return type === 'INTEGER' ? Number(part) : part;
  });
  if (parts.length === keys && !values.some((value) => Number.isNaN(value))) return values;
  throw new FollowError(`the service removed an entry of ${name} without its key`);
}

/** Returns the column of the copy for a column of the list of API 3.0. */
function listed(name: ColumnName): CopyColumn {
  if (name === 'affiliate_id') return integer(name, 'affiliate', 'id');
  const { kind, object } = ruleOf(name);
  const path = object === undefined ? [] : [object, fieldOf(name)];
  if (kind === 'money') return cents(name, ...path);
  return kind === 'number' ? integer(name, ...path) : text(name, ...path);
}

function column(name: string, type: CopyColumn['type'], path: readonly string[]): CopyColumn {
  return { name, type, path: path.length === 0 ? [name] : path, isMoney: false };
}

function cents(name: string, ...path: string[]): CopyColumn {
  return {
    ...integer(name, ...(path.length === 0 ? [name] : path)),
    name: `${name}_cents`,
    isMoney: true,
  };
}

function valueOf({ name, path, type, isMoney }: CopyColumn, content: Content): Value {
  let value: unknown = content;
  for (const step of path) value = isRecord(value) ? value[step] : null;
  if (value === null || value === undefined) return null;
  const stored = isMoney && typeof value === 'string' ? parseDecimal(value, CENTS) : value;
  const fits = type === 'TEXT' ? typeof stored === 'string' : Number.isSafeInteger(stored);
  if (fits && (typeof stored === 'string' || typeof stored === 'number')) return stored;
  throw new FollowError(`the service sent a ${name} that is no ${isMoney ? 'amount' : type}`);
}

/** Error of a follower that cannot continue; the message contains the reason and a remedy. */
export class FollowError extends Error {}
