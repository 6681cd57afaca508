import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/errors/api-error.js';
import type { Session } from '../../platform/database/database.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import { PERSONAL_OF_RECURRING_PAYMENT } from '../../ledger/records/personal-data.js';
import type { ChangedRecord } from '../../ledger/changes/change.model.js';
import type { ContentCriteria } from '../../ledger/changes/change-source.model.js';
import { ChangesService } from '../../ledger/changes/changes.service.js';
import { ProductsService } from '../products/index.js';
import type { PaymentStatus, RecurringPayment } from './recurring-payment.model.js';
import { RecurringRepository } from './recurring.repository.js';
import { paymentReasonsOf } from './payment-reasons.js';
import { RECURRING_SUMS } from '../../ledger/sums/recurring-sums.js';

/** Maximum number of subscriptions that a batch removes. */
const PAYMENTS_REMOVED = 1_000;

/** Reads and stores subscriptions. */
@Injectable()
export class RecurringService {
  constructor(
    private readonly repository: RecurringRepository,
    private readonly products: ProductsService,
    private readonly changes: ChangesService,
  ) {}

  /**
   * Returns a subscription to a product of the vendor, without personal data if `isMasked`.
   * @throws ApiError not_found if it does not exist or belongs to another vendor
   */
  async paymentOf(vendor_id: number, pre_key: string, isMasked = false): Promise<RecurringPayment> {
    const payment = await this.repository.paymentOfVendor(vendor_id, pre_key);
    if (payment === null) throw new ApiError('not_found', 'There is no such recurring payment.');
    return shown(payment, isMasked);
  }

  /** Returns a subscription if it exists and belongs to the vendor, and otherwise null. */
  ofVendor(vendor_id: number, pre_key: string): Promise<RecurringPayment | null> {
    return this.repository.paymentOfVendor(vendor_id, pre_key);
  }

  /**
   * Returns those of these subscriptions that belong to the vendor, without personal data if
   * `isMasked`.
   */
  async shownPaymentsOf({ reader, vendor_id, record_keys, isMasked }: ContentCriteria) {
    const payments = await this.repository.paymentsByKeys(reader, record_keys);
    const vendors = await this.products.vendorsOf(payments, reader);
    return payments
      .filter(({ product_id }) => vendors.get(product_id) === vendor_id)
      .map((payment) => shown(payment, isMasked));
  }

  /** Locks subscriptions with their versions; `savePayments` saves them. */
  get records(): Omit<RecurringRepository['records'], 'save'> {
    return this.repository.records;
  }

  /**
   * Returns those of these keys that belong to a subscription.
   * @param onlyVendor the vendor whose subscriptions count, or null for all vendors
   */
  async knownPreKeys(
    session: Session,
    pre_keys: Iterable<string>,
    onlyVendor: number | null,
  ): Promise<string[]> {
    const known = await this.repository.knownPreKeys(session, pre_keys);
    if (onlyVendor === null) return known.map(({ pre_key }) => pre_key);
    const vendors = await this.products.vendorsOf(known, session);
    const own = known.filter(({ product_id }) => vendors.get(product_id) === onlyVendor);
    return own.map(({ pre_key }) => pre_key);
  }

  /** Reads subscriptions without a rule of the service. */
  get reads(): Pick<
    RecurringRepository,
    | 'countOf'
    | 'countOfProduct'
    | 'knownPreKeys'
    | 'paymentsOfProducts'
    | 'sizesOf'
    | 'statusesAfter'
  > {
    return this.repository;
  }

  /**
   * Removes the next subscriptions to a product. The caller has locked the vendor's ledger.
   * @returns the number of removed subscriptions
   */
  async removeOfProduct(session: Session, vendor_id: number, product_id: number): Promise<number> {
    const limit = PAYMENTS_REMOVED;
    const removed = await this.repository.removeOfProduct(session, vendor_id, product_id, limit);
    const signed = removed.map((record) => ({ vendor_id, record, sign: -1 }) as const);
    await RECURRING_SUMS.changesBy(signed).save(session);
    const left = removed.map(({ pre_key }) => changedPayment(vendor_id, pre_key));
    await this.changes.remove(session, left);
    return removed.length;
  }

  /** Inserts new subscriptions and replaces locked ones. */
  async savePayments(
    session: Session,
    payments: readonly RecordChange<RecurringPayment>[],
  ): Promise<void> {
    const versions = payments.flatMap(({ before, content }) => [before ?? content, content]);
    const vendors = await this.products.vendorsOf(versions, session);
    const vendorOf = ({ product_id }: RecurringPayment) => vendors.get(product_id) ?? 0;
    const saved = payments.map((payment) => ({ ...payment, vendor_id: vendorOf(payment.content) }));
    await this.repository.records.save(session, saved);
    const left = payments.flatMap(({ before }) =>
      before === undefined
        ? []
        : [{ vendor_id: vendorOf(before), record: before, sign: -1 as const }],
    );
    const entered = saved.map(({ vendor_id, content }) => {
      return { vendor_id, record: content, sign: 1 as const };
    });
    const moved = saved.flatMap(({ vendor_id, before }) =>
      before === undefined || vendorOf(before) === vendor_id
        ? []
        : [changedPayment(vendorOf(before), before.pre_key)],
    );
    await this.changes.remove(session, moved);
    await this.changes.record(
      session,
      saved.map(({ vendor_id, content, before }) => {
        const stayed = before !== undefined && vendorOf(before) === vendor_id ? before : undefined;
        const reasons = paymentReasonsOf(stayed, content);
        const isNew = stayed === undefined;
        return { ...changedPayment(vendor_id, content.pre_key), reasons, isNew };
      }),
    );
    await RECURRING_SUMS.changesBy([...left, ...entered]).save(session);
  }

  /** Records the status that the API has set for a subscription of the vendor. */
  async recordStatus(
    session: Session,
    vendor_id: number,
    before: RecurringPayment,
    { status }: PaymentStatus,
  ): Promise<void> {
    const after = { ...before, status };
    const reasons = paymentReasonsOf(before, after);
    const changed = { ...changedPayment(vendor_id, before.pre_key), reasons };
    await this.changes.record(session, [changed]);
    await RECURRING_SUMS.changesBy([
      { vendor_id, record: before, sign: -1 },
      { vendor_id, record: after, sign: 1 },
    ]).save(session);
  }
}

function shown(payment: RecurringPayment, isMasked: boolean): RecurringPayment {
  return isMasked ? { ...payment, ...PERSONAL_OF_RECURRING_PAYMENT } : payment;
}

function changedPayment(vendor_id: number, record_key: string): ChangedRecord {
  return { vendor_id, kind: 'recurring_payment', record_key };
}
