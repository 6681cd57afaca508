import { PRODUCT, USERS } from '../../../testing/src/ledger/access-row.js';
import {
  affiliation,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from './ledger-records.js';

/** Fields of the ledger format with names of people or ways to reach them. */
const PERSONAL = new Set([
  'name',
  'display_name',
  'email',
  'processor_email',
  'contact_email',
  'sender_email',
  'first_name',
  'last_name',
  'ip',
  'phone',
  'payee_name',
  'comments',
  'referrer',
  'address_line_1',
  'address_line_2',
  'city',
  'region',
  'postal_code',
]);

const VENDORS = ['vendor', 'other', 'suspended'] as const;
const SALE_DATE = new Date(Date.now() - 86_400_000).toISOString();
const CUSTOMER = {
  email: 'Quillonia.Vastergard@private.example',
  first_name: 'Quillonia',
  last_name: 'Vastergard',
  ip: '198.51.100.177',
  phone: '+1-555-0177-319',
  processor_email: 'wallet.quillonia@private.example',
};
const DELIVERY = {
  name: 'Quillonia von Vastergard',
  phone: '+1-555-0177-428',
  address_line_1: '4711 Thistlewick Crescent',
  address_line_2: 'Loft 93, rear stairs',
  city: 'Wobbleford',
  region: 'Upper Grumbria',
  postal_code: 'QX9 7ZZ',
  country: 'GB',
};
const PAYMENT = {
  processor_email: 'pay.quillonia@private.example',
  contact_email: 'contact.quillonia@private.example',
  sender_email: 'sender.quillonia@private.example',
  ip: '198.51.100.178',
  referrer: 'https://mail.private.example/quillonia',
};

/** A ledger with personal data in every record, for the requests of the access matrix. */
export const PERSONAL_LEDGER: readonly object[] = [
  ...Object.entries(USERS).map(([who, id]) =>
    user(id, {
      name: `Ermengarde ${who} Pumblechook`,
      email: `ermengarde.${who}@private.example`,
      display_name: `The ${who} of Pumblechook`,
      processor_email: `payments.${who}@private.example`,
      status: who === 'suspended' ? 'suspended' : 'active',
    }),
  ),
  ...VENDORS.map((who) => product(PRODUCT[who], USERS[who])),
  ...VENDORS.flatMap((who) => [
    affiliation(USERS.affiliate, PRODUCT[who], { comments: `Call me, Pumblechook of ${who}` }),
    recurringPayment(`pre-of-${who}`, PRODUCT[who], PAYMENT),
    saleOf(`of-${who}`, PRODUCT[who], USERS.affiliate),
    saleOf(`sold-by-${who}`, PRODUCT.other, USERS[who]),
  ]),
  saleOf('sold-by-affiliate', PRODUCT.vendor, USERS.affiliate),
];

/** All personal values of the ledger. */
export const PERSONAL_VALUES: readonly string[] = [...new Set(PERSONAL_LEDGER.flatMap(valuesIn))];

function saleOf(transaction_id: string, product_id: number, affiliate_id: number): object {
  return transaction(transaction_id, product_id, {
    affiliate_id,
    sale_date: SALE_DATE,
    customer: CUSTOMER,
    delivery: DELIVERY,
    pre_key: 'pre-of-vendor',
    taxes: { vat_tax: '1.00' },
    tracking: { tid: 'a' },
    refund: refund(SALE_DATE),
    payout_items: [payoutItem(affiliate_id, { payee_name: 'Ermengarde payee Pumblechook' })],
  });
}

function valuesIn(record: object): string[] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return valuesIn(value);
    return PERSONAL.has(name) && typeof value === 'string' ? [value] : [];
  });
}

/** Returns copies of a record, each with one value replaced by another. */
export function* withEachReplaced(record: object, by: unknown): Generator<object> {
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    if (name === 'type') continue;
    yield { ...record, [name]: by };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    for (const inner of withEachReplaced(value, by)) yield { ...record, [name]: inner };
  }
}
