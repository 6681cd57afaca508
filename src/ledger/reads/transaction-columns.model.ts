import type { Column } from '../../platform/files/csv.js';
import { columnsWith } from '../columns.js';
import { STATUS_OF_3, type Transaction } from './transaction.model.js';

const COLUMNS: readonly Column<Transaction>[] = [
  { name: 'status', kind: 'word', valueOf: ({ status }) => STATUS_OF_3[status] },
  ...(['id', 'email', 'text'] as const).flatMap((kind) =>
    columnsWith({ list: true, kind }).map((name) => column(name, 'text')),
  ),
  ...columnsWith({ list: true, kind: 'number' }).map((name) => column(name, 'number')),
  ...columnsWith({ list: true, kind: 'money' }).map((name) => column(name, 'money')),
  ...columnsWith({ list: true, kind: 'date-time' }).map((name) => column(name, 'date-time')),
];

/** Lists the columns of Parquet files, in the order of the 3.0 list. */
export const PARQUET_COLUMNS = exported('parquet');
export const CSV_COLUMNS = exported('csv');

/** An affiliate without a display name has its name there, as on the account pages. */
function exported(file: 'csv' | 'parquet'): Column<Transaction>[] {
  const byName = new Map(COLUMNS.map((each) => [each.name, each]));
  const name = { ...column('affiliate_name', 'text'), name: 'affiliate_display_name' };
  return columnsWith({ list: true, [file]: true }).flatMap((each) => {
    const found = byName.get(each) ?? [];
    return each === 'affiliate_id' ? [found, name].flat() : found;
  });
}

function column<Name extends keyof Transaction, Kind extends string>(name: Name, kind: Kind) {
  return { name, kind, valueOf: (row: Transaction) => row[name] };
}
