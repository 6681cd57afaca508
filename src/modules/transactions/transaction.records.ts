import { MILLIONTHS } from '../../common/money.js';
import type { RecordFields } from '../../common/record-fields.js';
import { recordOf } from '../../common/record-of.js';
import type { SqlValue } from '../../database/database.js';
import type { BatchRun, Wanted } from '../ledger/ledger.model.js';
import type { Change, RecordKind } from '../ledger/record-batch.model.js';
import type { AffiliateSalesRepository } from './affiliate-sales.repository.js';
import type { LedgerCountsRepository } from './ledger-counts.repository.js';
import { PAYOUT_ITEM_COLUMNS } from './payout-item.entity.js';
import {
  DELIVERY_PREFIX,
  RECORD_COLUMNS,
  TAX_FIELDS,
  type RecordColumn,
} from './transaction.entity.js';
import { DELIVERY_COLUMNS } from './transaction-detail.model.js';
import {
  COMMISSION_STATUSES,
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  REFUND_IMPACT_FIELDS,
  TRACKING_FIELDS,
  TRANSACTION_ID,
  TRANSACTION_STATUSES,
} from './transaction.model.js';
import type {
  Place,
  TransactionRecord,
  TransactionWritesRepository,
} from './transaction-writes.repository.js';

/** The `transaction` records of a ledger file (ledger format: transaction). */
export class TransactionRecords implements RecordKind<TransactionRecord> {
  /** Where each stored transaction of the batch lies. */
  private places = new Map<string, Place>();

  constructor(
    private readonly writes: TransactionWritesRepository,
    private readonly counts: LedgerCountsRepository,
    private readonly sales: AffiliateSalesRepository,
  ) {}

  read(fields: RecordFields, wanted: Wanted): TransactionRecord {
    const columns = readColumns(fields);
    const { transaction_id, product_id, sale_date, refund_date, affiliate_id, pre_key } = columns;
    wanted.products.add(product_id);
    if (affiliate_id !== null) wanted.users.add(affiliate_id);
    if (pre_key !== null) wanted.pre_keys.add(pre_key);
    const payout_items = fields.optionalList('payout_items').map(readPayoutItem);
    const row = RECORD_COLUMNS.map((column): SqlValue => columns[column]);
    const read = { transaction_id, product_id, sale_date, refund_date, affiliate_id, pre_key };
    return { ...read, row, payout_items };
  }

  identity({ transaction_id }: TransactionRecord): string {
    return transaction_id;
  }

  async stored(
    run: BatchRun,
    records: readonly TransactionRecord[],
  ): Promise<readonly TransactionRecord[]> {
    const vendors = records.flatMap(
      ({ product_id }) => run.products.get(product_id)?.vendor_id ?? [],
    );
    await this.counts.lockLedgers(run.session, vendors);
    const ids = records.map(({ transaction_id }) => transaction_id);
    const stored = await this.writes.recordsByIds(run.session, ids);
    this.places = new Map(stored.map(({ record, place }) => [record.transaction_id, place]));
    return stored.map(({ record }) => record);
  }

  refusal(
    record: TransactionRecord,
    line: number,
    run: BatchRun,
    before: TransactionRecord | undefined,
  ): string | null {
    const { transaction_id, product_id, affiliate_id, pre_key } = record;
    const vendor_id = run.vendorOf(product_id, line);
    if (vendor_id === null) return `product_id: there is no product ${product_id}`;
    if (affiliate_id !== null && !run.hasUser(affiliate_id, line)) {
      return `affiliate_id: there is no user ${affiliate_id}`;
    }
    if (pre_key !== null && !run.hasPreKey(pre_key, line)) {
      return 'pre_key: there is no such recurring payment';
    }
    const vendorBefore =
      this.places.get(transaction_id)?.vendor_id ??
      (before === undefined ? undefined : run.products.get(before.product_id)?.vendor_id);
    return vendorBefore !== undefined && vendorBefore !== vendor_id
      ? "transaction_id: is another vendor's transaction and can't move"
      : null;
  }

  async save(run: BatchRun, changes: readonly Change<TransactionRecord>[]): Promise<void> {
    const created = changes.filter(({ before }) => before === undefined).length;
    let arrival = created > 0 ? await this.counts.takeArrivals(run.session, created) : 0;
    const placed = changes.map((change) => {
      const place = this.places.get(change.after.transaction_id);
      if (place !== undefined) return { ...change, place };
      const vendor_id = vendorOfProduct(change.after.product_id, run);
      return { ...change, place: { vendor_id, arrival: arrival++ } };
    });
    await this.writes.save(run.session, placed);
    await this.counts.apply(run.session, placed);
    await this.sales.apply(run.session, placed);
  }
}

function vendorOfProduct(product_id: number, run: BatchRun): number {
  const product = run.products.get(product_id);
  if (product === undefined) throw new Error('a record without a product was accepted');
  return product.vendor_id;
}

function readColumns(fields: RecordFields) {
  const customer = fields.object('customer');
  const tracking = fields.optionalObject('tracking');
  const payouts = fields.object('payouts');
  const taxes = fields.optionalObject('taxes');
  const delivery = fields.optionalObject('delivery');
  const expectedId = '1 to 64 printable ASCII characters without spaces';
  const sale_date = fields.moment('sale_date');
  return {
    transaction_id: fields.matching('transaction_id', TRANSACTION_ID, expectedId),
    product_id: fields.id('product_id'),
    sale_date,
    ...readRefund(fields, sale_date),
    affiliate_id: fields.optionalId('affiliate_id'),
    product_name: fields.text('product_name'),
    amount: fields.money('amount'),
    status: fields.choice('status', TRANSACTION_STATUSES),
    pre_key: fields.optionalText('pre_key'),
    customer_email: customer.text('email'),
    customer_first_name: customer.text('first_name'),
    customer_last_name: customer.text('last_name'),
    customer_ip: customer.optionalText('ip'),
    customer_phone: customer.optionalText('phone'),
    affiliate_commission_status:
      fields.optionalChoice('affiliate_commission_status', COMMISSION_STATUSES) ?? 'UNPAID',
    ...recordOf(TRACKING_FIELDS, (field) => tracking?.optionalLongText(field) ?? null),
    ...recordOf(PAYOUT_FIELDS, (field) => payouts.money(field)),
    ...recordOf(TAX_FIELDS, (field) => taxes?.optionalMoney(field) ?? null),
    shipping_fee: fields.optionalDecimal('shipping_fee', MILLIONTHS),
    ...recordOf(DELIVERY_COLUMNS, (column) => {
      return delivery?.optionalText(column.replace(DELIVERY_PREFIX, '')) ?? null;
    }),
  } satisfies Record<RecordColumn, SqlValue>;
}

/** A refund may not lie before its sale; each of its impacts takes back, so it is zero or less. */
function readRefund(fields: RecordFields, sale_date: string) {
  const refund = fields.optionalObject('refund');
  if (refund === null) {
    return { refund_date: null, ...recordOf(REFUND_AMOUNT_FIELDS, () => null) };
  }
  const refund_date = refund.moment('refund_date');
  if (refund_date !== '' && refund_date < sale_date) {
    refund.fault('refund_date', 'must not lie before sale_date');
  }
  return {
    refund_date,
    refund_amount: refund.money('refund_amount', 'zero_or_more'),
    ...recordOf(REFUND_IMPACT_FIELDS, (field) => refund.money(field, 'zero_or_less')),
  };
}

function readPayoutItem(item: RecordFields): SqlValue[] {
  const columns = {
    payee_amount: item.money('payee_amount'),
    payee_user_id: item.integer('payee_user_id'),
    payee_name: item.text('payee_name'),
    payout_type: item.text('payout_type'),
    payment_processor: item.text('payment_processor'),
    payout_status: item.text('payout_status'),
  };
  return PAYOUT_ITEM_COLUMNS.map((column) => columns[column]);
}
