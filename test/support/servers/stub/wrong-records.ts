import { isRecord } from '../../../../src/platform/values/is-record.js';
import { BYSTANDER, type Fault, type MirroredVendor } from '../mirrored-vendors.js';
import { LIST, spoilingResult } from './spoiled.js';

const SECRET_NAME = { first_name: 'Zebulon', last_name: 'Byron', email: 'zeb@secret.example' };
/** Values that the upstream sends, and that no log may contain. */
export const SECRET_VALUES = ['Zebulon', 'zeb@secret.example', '1234567.891'];
const LONG = 'x'.repeat(300);

type Fields = Readonly<Record<string, unknown>>;

/** Faults of a sale in the list, each with the problem that is reported. */
export const listed: readonly (readonly [name: string, changes: unknown, problem: RegExp])[] = [
  [
    'money with three places',
    { amount: 1_234_567.891 },
    /^amount: must be decimal text .+ \(transaction bad-\d+\)$/,
  ],
  ['money with a comma', { amount: '47,00' }, /^amount: must be decimal/],
  ['money with an exponent', { amount: '4e1' }, /^amount: must be decimal/],
  ['money without end', { amount: 1e21 }, /^amount: must be decimal/],
  ['no money', { amount: null }, /^amount: must be given/],
  [
    'a date without offset',
    { sale_date: '2025-06-02T12:00:00' },
    /^sale_date: must be an ISO 8601/,
  ],
  ['a date that is none', { sale_date: '2025-02-30T12:00:00Z' }, /^sale_date: must be/],
  ['a date of zeros', { sale_date: '0000-00-00' }, /^sale_date: must be/],
  ['a date that is a number', { sale_date: 1_748_865_600 }, /^sale_date: must be/],
  ["another vendor's product", { product_id: BYSTANDER.product }, /is another vendor's/],
  ["another vendor's sale", { transaction_id: BYSTANDER.sale }, /is another vendor's/],
  ['a product without id', { product_id: true }, /^product_id: must be/],
  ['an id with a space', { transaction_id: 'a b' }, /^transaction_id: must be/],
  ['an id that is too long', { transaction_id: LONG }, /^transaction_id: must be/],
  ['an id that is an object', { transaction_id: { id: 1 } }, /^transaction_id: must be/],
  ['a sale that is null', null, /./],
  ['a sale that is a number', 7, /./],
  ['a sale that is a list', [], /./],
  ['a sale without fields', {}, /./],
];

export const faultsOfRecords = listed.map(
  ([, changes]) =>
    ({ sales: [, bad] }: MirroredVendor): Fault => {
      const isChange = isRecord(changes) && Object.keys(changes).length > 0;
      const change = (sale: Fields) =>
        isChange ? { ...sale, customer: SECRET_NAME, ...changes } : changes;
      return { hook: spoilingResult(LIST, ['transaction_id', bad], change) };
    },
);
