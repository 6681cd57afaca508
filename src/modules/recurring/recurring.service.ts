import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import type { Reader, Session } from '../../database/database.js';
import type { Stored } from '../../ledger-format/overruled-fields.js';
import { PERSONAL_OF_RECURRING_PAYMENT } from '../../ledger-format/personal-data.js';
import type { RecordChange, Versioned } from '../../ledger-format/record-version.js';
import type { ChangedRecord } from '../changes/change.model.js';
import type { ContentCriteria } from '../changes/change-source.model.js';
import { ChangesService } from '../changes/changes.service.js';
import type { ProductCount } from '../products/product.model.js';
import { ProductsService } from '../products/products.service.js';
import type { PaymentState, PaymentStatus, RecurringPayment } from './recurring-payment.model.js';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringSumsRepository } from './sums/recurring-sums.repository.js';

/** The JSON of a recurring payment has about so many bytes without its longest text. */
const OTHER_BYTES = 4_096;
/** Recurring payments of a batch that are removed. */
const PAYMENTS_REMOVED = 1_000;

/** Payments that customers agreed to repeat. */
@Injectable()
export class RecurringService {
  constructor(
    private readonly repository: RecurringRepository,
    private readonly sums: RecurringSumsRepository,
    private readonly products: ProductsService,
    private readonly changes: ChangesService,
  ) {}

  /**
   * A recurring payment for a product of the vendor.
   * @throws ApiError not_found if it does not exist or belongs to another vendor
   */
  async paymentOf(vendor_id: number, pre_key: string): Promise<RecurringPayment> {
    const payment = await this.repository.paymentOfVendor(vendor_id, pre_key);
    if (payment === null) throw new ApiError('not_found', 'There is no such recurring payment.');
    return payment;
  }

  /** Whether it exists and is for a product of the vendor. */
  async isOfVendor(vendor_id: number, pre_key: string): Promise<boolean> {
    return (await this.repository.paymentOfVendor(vendor_id, pre_key)) !== null;
  }

  /** The same without personal data, if it is left out. */
  async shownPaymentOf(
    vendor_id: number,
    pre_key: string,
    isMasked: boolean,
  ): Promise<RecurringPayment> {
    return shown(await this.paymentOf(vendor_id, pre_key), isMasked);
  }

  /** Those for products of the vendor among these, without personal data if it is left out. */
  async shownPaymentsOf({
    reader,
    vendor_id,
    record_keys,
    isMasked,
  }: ContentCriteria): Promise<RecurringPayment[]> {
    const payments = await this.repository.paymentsByKeys(reader, record_keys);
    const ids = new Set(payments.map(({ product_id }) => product_id));
    const products = await this.products.productsByIds([...ids], reader);
    const own = new Set(
      products.filter((product) => product.vendor_id === vendor_id).map(({ id }) => id),
    );
    return payments
      .filter(({ product_id }) => own.has(product_id))
      .map((payment) => shown(payment, isMasked));
  }

  /** About how many bytes each of these has as JSON, by key. */
  async sizesOf(reader: Reader, pre_keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const longest = await this.repository.longestTextsOf(reader, pre_keys);
    return new Map([...longest].map(([pre_key, bytes]) => [pre_key, bytes + OTHER_BYTES]));
  }

  /** Reads payments and locks them until the session ends. */
  lockedPayments(
    session: Session,
    pre_keys: readonly string[],
  ): Promise<Stored<RecurringPayment>[]> {
    return this.repository.lockedPayments(session, pre_keys);
  }

  /** The keys that belong to a payment. @param onlyVendor whose payments count; null for all vendors */
  async knownPreKeys(
    session: Session,
    pre_keys: Iterable<string>,
    onlyVendor: number | null,
  ): Promise<string[]> {
    const known = await this.repository.knownPreKeys(session, pre_keys);
    if (onlyVendor === null) return known.map(({ pre_key }) => pre_key);
    const ids = new Set(known.map(({ product_id }) => product_id));
    const products = await this.products.productsByIds([...ids], session);
    const vendors = new Map(products.map(({ id, vendor_id }) => [id, vendor_id]));
    const own = known.filter(({ product_id }) => vendors.get(product_id) === onlyVendor);
    return own.map(({ pre_key }) => pre_key);
  }

  /** The next recurring payments of a vendor, by key. @param after excluded; empty for the first ones */
  statusesAfter(
    reader: Reader,
    vendor_id: number,
    after: string,
    limit: number,
  ): Promise<PaymentState[]> {
    return this.repository.statusesAfter(reader, vendor_id, after, limit);
  }

  /** How many recurring payments these products of a vendor have. */
  paymentsOfProducts(
    session: Session,
    vendor_id: number,
    product_ids: readonly number[],
  ): Promise<ProductCount[]> {
    return this.repository.paymentsOfProducts(session, vendor_id, product_ids);
  }

  /** How many recurring payments a product of a vendor has. */
  countOfProduct(vendor_id: number, product_id: number): Promise<number> {
    return this.repository.countOfProduct(vendor_id, product_id);
  }

  /**
   * Removes the next recurring payments of a product. The vendor's ledger is locked.
   * @returns how many were removed
   */
  async removeOfProduct(session: Session, vendor_id: number, product_id: number): Promise<number> {
    const limit = PAYMENTS_REMOVED;
    const removed = await this.repository.removeOfProduct(session, vendor_id, product_id, limit);
    await this.sums.apply(
      session,
      removed.map((payment) => ({ vendor_id, payment, sign: -1 as const })),
    );
    const left = removed.map(({ pre_key }) => changedPayment(vendor_id, pre_key));
    await this.changes.remove(session, left);
    return removed.length;
  }

  /** How many recurring payments a vendor has. */
  countOf(reader: Reader, vendor_id: number): Promise<number> {
    return this.repository.countOf(reader, vendor_id);
  }

  /** Inserts new payments, and replaces locked ones. */
  async savePayments(
    session: Session,
    payments: readonly (Stored<RecurringPayment> & RecordChange<RecurringPayment>)[],
  ): Promise<void> {
    const versions = payments.flatMap(({ before, content }) => [before ?? content, content]);
    const ids = new Set(versions.map(({ product_id }) => product_id));
    const products = await this.products.storedProducts(session, ids);
    const vendors = new Map(products.map(({ id, vendor_id }) => [id, vendor_id]));
    const vendorOf = ({ product_id }: RecurringPayment) => vendors.get(product_id) ?? 0;
    const saved = payments.map((payment) => ({ ...payment, vendor_id: vendorOf(payment.content) }));
    await this.repository.savePayments(session, saved);
    const left = payments.flatMap(({ before }) =>
      before === undefined ? [] : [{ vendor_id: vendorOf(before), payment: before }],
    );
    const entered = saved.map(({ vendor_id, content }) => ({ vendor_id, payment: content }));
    const moved = saved.flatMap(({ vendor_id, before }) =>
      before === undefined || vendorOf(before) === vendor_id
        ? []
        : [changedPayment(vendorOf(before), before.pre_key)],
    );
    await this.changes.remove(session, moved);
    await this.changes.record(
      session,
      entered.map(({ vendor_id, payment }) => changedPayment(vendor_id, payment.pre_key)),
    );
    await this.sums.apply(session, [
      ...left.map((each) => ({ ...each, sign: -1 as const })),
      ...entered.map((each) => ({ ...each, sign: 1 as const })),
    ]);
  }

  /** Records the status that the interface gave a payment of the vendor. */
  async recordStatus(
    session: Session,
    vendor_id: number,
    before: RecurringPayment,
    { status }: PaymentStatus,
  ): Promise<void> {
    await this.changes.record(session, [changedPayment(vendor_id, before.pre_key)]);
    await this.sums.apply(session, [
      { vendor_id, payment: before, sign: -1 },
      { vendor_id, payment: { ...before, status }, sign: 1 },
    ]);
  }

  /** Sets the versions of stored payments, and nothing else. */
  raiseVersions(session: Session, payments: readonly Versioned<RecurringPayment>[]): Promise<void> {
    return this.repository.raiseVersions(session, payments);
  }
}

function shown(payment: RecurringPayment, isMasked: boolean): RecurringPayment {
  return isMasked ? { ...payment, ...PERSONAL_OF_RECURRING_PAYMENT } : payment;
}

function changedPayment(vendor_id: number, record_key: string): ChangedRecord {
  return { vendor_id, kind: 'recurring_payment', record_key };
}
