/** Expected type of a value and of all its fields. A RegExp means text that matches it. */
export type Shape =
  | 'string'
  | 'integer'
  | 'boolean'
  | RegExp
  | { readonly nullable: Shape }
  | { readonly list: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

/**
 * Returns every place where a value differs from the shape. Missing and extra fields are faults,
 * too.
 */
export function shapeFaults(value: unknown, shape: Shape, path = '$'): string[] {
  if (typeof shape === 'string') return matches(value, shape) ? [] : [`${path}: no ${shape}`];
  if (shape instanceof RegExp) {
    return typeof value === 'string' && shape.test(value) ? [] : [`${path}: not ${shape.source}`];
  }
  if ('nullable' in shape) return value === null ? [] : shapeFaults(value, shape.nullable, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${path}: no list`];
    return value.flatMap((item: unknown, at) => shapeFaults(item, shape.list, `${path}[${at}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${path}: no object`];
  }
  const found = new Map<string, unknown>(Object.entries(value));
  const extra = [...found.keys()].filter((name) => !Object.hasOwn(shape.fields, name));
  return [
    ...extra.map((name) => `${path}.${name}: not of the contract`),
    ...Object.entries(shape.fields).flatMap(([name, field]) =>
      found.has(name)
        ? shapeFaults(found.get(name), field, `${path}.${name}`)
        : [`${path}.${name}: missing`],
    ),
  ];
}

function matches(value: unknown, type: 'string' | 'integer' | 'boolean'): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}

function fieldsOf(names: readonly string[], shape: Shape): Shape {
  return { fields: Object.fromEntries(names.map((name) => [name, shape])) };
}

const META: Readonly<Record<string, Shape>> = {
  status: {
    fields: {
      http_status_code: 'integer',
      code: 'integer',
      message: 'string',
      detail: { nullable: 'string' },
    },
  },
  results_count: 'integer',
  api_version: 'string',
};

/** Returns the shape of an envelope whose results have one shape. */
export function envelopeShape(result: Shape): Shape {
  return { fields: { meta: { fields: META }, results: { list: result } } };
}

/** Returns the shape of the envelope of a paged list. */
export function pagedEnvelopeShape(result: Shape): Shape {
  const pagination: Shape = {
    fields: { page_size: 'integer', page_index: 'integer', has_more: 'boolean' },
  };
  const meta: Shape = { fields: { ...META, total_count: 'integer', pagination } };
  return { fields: { meta, results: { list: result } } };
}

const MONEY = /^-?\d+\.\d{2}$/;
/** Impacts of a refund are negative or zero. */
const TAKEN_BACK = /^(?:-(?!0\.00$)\d+\.\d{2}|0\.00)$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/;

/** Names of the tracking fields. */
export const TRACKING_NAMES = [
  'vtid',
  'custom',
  'tid',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
  'gclid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'twclid',
  'yclid',
  'other_params',
];

/** Names of the payout fields. */
export const PAYOUT_NAMES = [
  'seller_earnings',
  'affiliate_payout',
  'agent_payout',
  'jv_payout',
  'service_fee',
];

/** Names of a refund's fields that are negative or zero. */
export const IMPACT_NAMES = [
  'seller_refund_impact',
  'affiliate_refund_impact',
  'agent_refund_impact',
  'jv_refund_impact',
];

/** Shape of a transaction of version 3.0, in the list and alone. */
export const TRANSACTION_SHAPE: Shape = {
  fields: {
    transaction_id: 'string',
    sale_date: DATE_TIME,
    product_id: 'integer',
    product_name: 'string',
    amount: MONEY,
    status: 'string',
    customer: fieldsOf(['email', 'first_name', 'last_name'], 'string'),
    affiliate: { nullable: { fields: { id: 'integer', display_name: { nullable: 'string' } } } },
    tracking: fieldsOf(TRACKING_NAMES, { nullable: 'string' }),
    payouts: fieldsOf(PAYOUT_NAMES, MONEY),
    refund: {
      nullable: {
        fields: {
          refund_date: DATE_TIME,
          refund_amount: MONEY,
          ...Object.fromEntries(IMPACT_NAMES.map((name) => [name, TAKEN_BACK])),
          service_fee_adjustment: MONEY,
        },
      },
    },
  },
};
