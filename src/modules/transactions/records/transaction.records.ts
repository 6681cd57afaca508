import { MILLIONTHS } from '../../../common/money.js';
import type { RecordFields } from '../../../ledger-format/record-fields.js';
import { shownValue } from '../../../common/shown-text.js';
import type { SqlValue } from '../../../database/database.js';
import type { BatchRun, References } from '../../../ledger-format/ledger.model.js';
import type { Change, RecordKind } from '../../../ledger-format/record-batch.js';
import type { AffiliateSalesRepository } from '../rollups/affiliate-sales.repository.js';
import type { LedgerCountsRepository } from '../rollups/ledger-counts.repository.js';
import type { ReportSumsWritesRepository } from '../rollups/report-sums-writes.repository.js';
import { PAYOUT_ITEM_COLUMNS } from '../payout-item.entity.js';
import { DELIVERY_PREFIX } from '../transaction.entity.js';
import { DELIVERY_COLUMNS } from '../detail/transaction-detail.model.js';
import {
  COMMISSION_STATUSES,
  PAYOUT_FIELDS,
  REFUND_AMOUNT_FIELDS,
  REFUND_IMPACT_FIELDS,
  TAX_FIELDS,
  TRACKING_FIELDS,
  TRANSACTION_ID,
  TRANSACTION_STATUSES,
} from '../transaction.model.js';
import { warnOfSums } from './transaction-warnings.js';
import type {
  Place,
  TransactionRecord,
  TransactionWritesRepository,
} from './transaction-writes.repository.js';

const EXPECTED_ID = '1 to 64 printable ASCII characters without spaces';
const DELIVERY_FIELDS = DELIVERY_COLUMNS.map((column) => column.replace(DELIVERY_PREFIX, ''));
/** No line has room for more that are right. */
const MOST_PAYOUT_ITEMS = 10_000;
const NO_REFUND = REFUND_AMOUNT_FIELDS.map(() => null);

/** The `transaction` records of a ledger file (ledger format: transaction). */
export class TransactionRecords implements RecordKind<TransactionRecord> {
  readonly type = 'transaction';
  /** Where each stored transaction of the batch lies. */
  private places = new Map<string, Place>();
  /** Whose those are that earlier batches of a rehearsal would have stored. */
  private readonly dryRunVendors = new Map<string, number>();

  constructor(
    private readonly writes: TransactionWritesRepository,
    private readonly counts: LedgerCountsRepository,
    private readonly sales: AffiliateSalesRepository,
    private readonly reportSums: ReportSumsWritesRepository,
  ) {}

  read(fields: RecordFields, references: References): TransactionRecord {
    const read = readFields(fields);
    const { product_id, affiliate_id, pre_key } = read;
    references.products.add(product_id);
    if (affiliate_id !== null) references.users.add(affiliate_id);
    if (pre_key !== null) references.pre_keys.add(pre_key);
    return {
      ...read,
      payout_items: fields.optionalList('payout_items', MOST_PAYOUT_ITEMS).map(readPayoutItem),
    };
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
    const affiliates = records.flatMap(({ affiliate_id }) => affiliate_id ?? []);
    if (run.dryRun === null) {
      await this.counts.lockUsers(run.session, [...vendors, ...affiliates]);
      await this.counts.lockLedgers(run.session, vendors);
    }
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
      return `pre_key: there is no recurring payment ${shownValue(pre_key)}`;
    }
    const vendorBefore =
      this.knownVendor(transaction_id) ??
      (before === undefined ? undefined : run.products.get(before.product_id)?.vendor_id);
    return vendorBefore !== undefined && vendorBefore !== vendor_id
      ? "transaction_id: is another vendor's transaction and can't move"
      : null;
  }

  vendorOf({ transaction_id, product_id }: TransactionRecord, run: BatchRun): number {
    return this.knownVendor(transaction_id) ?? vendorOfProduct(product_id, run);
  }

  noteVendor(transaction_id: string, vendor_id: number): void {
    this.dryRunVendors.set(transaction_id, vendor_id);
  }

  async save(run: BatchRun, changes: readonly Change<TransactionRecord>[]): Promise<void> {
    const created = changes.filter(({ before }) => before === undefined).length;
    let arrival = created > 0 ? await this.counts.takeArrivals(run.session, created) : 0;
    if (created === 0) await this.counts.serializeWriters(run.session);
    const placed = changes.map((change) => {
      const place = this.places.get(change.after.transaction_id);
      if (place !== undefined) return { ...change, place };
      const vendor_id = vendorOfProduct(change.after.product_id, run);
      return { ...change, place: { vendor_id, arrival: arrival++ } };
    });
    const saved = this.writes.save(run.session, placed);
    // Added up while the database is at work.
    const sums = this.reportSums.changesBy(placed);
    await saved;
    await this.counts.apply(run.session, placed);
    await this.sales.apply(run.session, placed);
    await this.reportSums.apply(run.session, sums);
  }

  private knownVendor(transaction_id: string): number | undefined {
    return this.places.get(transaction_id)?.vendor_id ?? this.dryRunVendors.get(transaction_id);
  }
}

function vendorOfProduct(product_id: number, run: BatchRun): number {
  const product = run.products.get(product_id);
  if (product === undefined) throw new Error('a record without a product was accepted');
  return product.vendor_id;
}

/** Reads what fills the row, in the order in which faults are told, and the row itself. */
function readFields(fields: RecordFields): Omit<TransactionRecord, 'payout_items'> {
  const customer = fields.object('customer');
  const tracking = fields.optionalObject('tracking');
  const payouts = fields.object('payouts');
  const taxes = fields.optionalObject('taxes');
  const delivery = fields.optionalObject('delivery');
  const sale_date = fields.moment('sale_date');
  const transaction_id = fields.matching('transaction_id', TRANSACTION_ID, EXPECTED_ID);
  const product_id = fields.id('product_id');
  const { refund_date, refundAmounts } = readRefund(fields, sale_date);
  const affiliate_id = fields.optionalId('affiliate_id');
  const product_name = fields.text('product_name');
  const amount = fields.money('amount');
  const status = fields.choice('status', TRANSACTION_STATUSES);
  const pre_key = fields.optionalText('pre_key');
  const own = { transaction_id, product_id, sale_date, refund_date, affiliate_id, pre_key };
  // In the order of RECORD_COLUMNS: a list is read several times as fast as an object by name.
  const row: SqlValue[] = [
    ...[transaction_id, product_id, sale_date, refund_date, affiliate_id, pre_key],
    ...[product_name, amount, status],
    ...[customer.text('email'), customer.text('first_name'), customer.text('last_name')],
    ...[customer.optionalText('ip'), customer.optionalText('phone')],
    customer.optionalText('processor_email'),
    fields.optionalChoice('affiliate_commission_status', COMMISSION_STATUSES) ?? 'UNPAID',
  ];
  for (const field of TRACKING_FIELDS) row.push(tracking?.optionalLongText(field) ?? null);
  const paidOut = PAYOUT_FIELDS.map((field) => payouts.money(field));
  const taxAmounts = TAX_FIELDS.map((field) => taxes?.optionalMoney(field) ?? null);
  const shipping_fee = fields.optionalDecimal('shipping_fee', MILLIONTHS);
  row.push(...paidOut, ...refundAmounts, ...taxAmounts, shipping_fee);
  for (const field of DELIVERY_FIELDS) row.push(delivery?.optionalText(field) ?? null);
  const refund = refundAmounts;
  warnOfSums(fields, { amount, payouts: paidOut, taxes: taxAmounts, shipping_fee, refund });
  return { ...own, row };
}

/** A refund may not lie before its sale; each impact on a party takes back, so it is zero or less. */
function readRefund(fields: RecordFields, sale_date: string) {
  const refund = fields.optionalObject('refund');
  if (refund === null) return { refund_date: null, refundAmounts: NO_REFUND };
  const refund_date = refund.moment('refund_date');
  if (refund_date !== '' && refund_date < sale_date) {
    refund.fault('refund_date', `must not lie before sale_date (${sale_date}), not ${refund_date}`);
  }
  const refundAmounts = [refund.money('refund_amount', 'zero_or_more')];
  for (const field of REFUND_IMPACT_FIELDS) refundAmounts.push(refund.money(field, 'zero_or_less'));
  refundAmounts.push(refund.money('service_fee_adjustment'));
  return { refund_date, refundAmounts };
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
