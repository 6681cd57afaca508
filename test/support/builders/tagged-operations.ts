import { product, transaction, user } from './ledger-records.js';

/**
 * A vendor with an affiliate, two products and sales in June. All ids are derived from its number.
 */
export class TaggedVendor {
  readonly id: number;
  readonly affiliate: number;
  readonly product: number;
  readonly sale: string;
  private readonly last: string;

  constructor(number: number) {
    this.id = number * 100;
    this.affiliate = this.id + 1;
    this.product = this.id + 2;
    this.sale = `${number}-first`;
    this.last = `${number}-last`;
  }

  /** Id of another product of the same vendor, and of another user who may sell. */
  get other(): number {
    return this.id + 3;
  }

  records(): object[] {
    const sale_date = '2025-06-30T12:00:00Z';
    return [
      ...[this.id, this.affiliate, this.other].map((id) => user(id)),
      product(this.product, this.id),
      product(this.other, this.id),
      this.changedSale({}),
      transaction(this.last, this.product, { sale_date }),
    ];
  }

  /** Returns the first sale with changes. */
  changedSale(changes: Readonly<Record<string, unknown>>): object {
    return transaction(this.sale, this.product, {
      affiliate_id: this.affiliate,
      sale_date: '2025-06-01T12:00:00Z',
      ...changes,
    });
  }

  /** Paths of the operations whose responses have an ETag, by name. */
  get paths(): Readonly<Record<TaggedOperation, string>> {
    return {
      list: '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30',
      single: `/v3.0/transactions/${this.sale}`,
      detail: `/v2.1/transaction/details/${this.sale}`,
      summary: `/v2.0/transactions/summaries/${this.sale}`,
      latest: '/v2.0/latest-transactions',
      'latest after the first': `/v2.0/latest-transactions/${this.sale}`,
      'latest after the last': `/v2.0/latest-transactions/${this.last}`,
      'latest after an unknown one': '/v2.0/latest-transactions/none',
    };
  }
}

export const TAGGED = [
  'list',
  'single',
  'detail',
  'summary',
  'latest',
  'latest after the first',
  'latest after the last',
  'latest after an unknown one',
] as const;
export type TaggedOperation = (typeof TAGGED)[number];
