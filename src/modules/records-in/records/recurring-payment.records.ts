import {
  readRecurringPayment,
  type RecurringPaymentRecord,
} from '../../../ledger/records/recurring-payment.record.js';
import { PERSONAL_RECURRING_PAYMENTS } from '../../../ledger/records/personal-data.js';
import { subscriptionSubject } from '../../recurring/index.js';
import { BEFORE_THE_BATCH, type BatchRun } from '../batches/batch-run.js';
import { vendorIdOf, type RecordServices } from './record-services.js';
import type { RecordKind } from '../batches/typed-batch.js';
import { missingProduct, ofOwnProduct } from './references.js';

/** Applies `recurring_payment` records. */
export function recurringPaymentRecords({
  recurring,
  products,
  transactions,
  personal,
}: RecordServices): RecordKind<RecurringPaymentRecord> {
  /** Vendors of the products of stored subscriptions, for a source of one vendor. */
  const vendors = new Map<number, number>();
  /**
   * Returns false if the subscription is another vendor's, which counts as unknown to a source of
   * one vendor.
   */
  const isOfRun = ({ product_id }: RecurringPaymentRecord, { onlyVendor }: BatchRun): boolean =>
    onlyVendor === null || (vendors.get(product_id) ?? onlyVendor) === onlyVendor;

  return {
    type: 'recurring_payment',
    read: readRecurringPayment,
    identity: ({ pre_key }) => pre_key,
    addReferences: ({ product_id }, references) => {
      references.products.add(product_id);
    },
    stored: async (run, payments) => {
      const stored = await recurring.records.locked(run.session, payments);
      if (run.onlyVendor !== null) {
        const sold = stored.map(({ content }) => content);
        const found = await products.vendorsOf(sold, run.session);
        for (const [id, vendor_id] of found) vendors.set(id, vendor_id);
      }
      const { pre_keys: named } = run.references;
      const known = await recurring.knownPreKeys(run.session, named, run.onlyVendor);
      const own = stored.filter(({ content }) => isOfRun(content, run));
      for (const pre_key of [...known, ...own.map(({ content }) => content.pre_key)]) {
        run.pre_keys.set(pre_key, BEFORE_THE_BATCH);
      }
      return stored;
    },
    keptOf: async (run, payments) => {
      const vendors = payments.flatMap((payment) => vendorIdOf(payment, run) ?? []);
      if (run.dryRun === null) await transactions.lock(run.session, vendors, []);
      return personal.keptOf(run, PERSONAL_RECURRING_PAYMENTS, payments);
    },
    problem: ({ product_id }, line, run) => missingProduct(product_id, line, run),
    /** Rejects a record that would take a stored subscription over from another vendor. */
    forVendor: (payment, at, run, before) => {
      const permission = ofOwnProduct(payment, at, run);
      if ('reject' in permission || before === undefined || isOfRun(before, run)) return permission;
      return { reject: "pre_key: is another vendor's recurring payment and can't move" };
    },
    addToRun: ({ pre_key }, since, run) => {
      run.pre_keys.set(pre_key, since);
    },
    referredTo: ({ pre_keys }) => pre_keys,
    /** Records only the status: the other fields are data of the customer, or counters. */
    audited: ({ status: before }, { id, product_id, status: after }, run) => {
      if (before === after) return null;
      return {
        account_id: vendorIdOf({ product_id }, run),
        action: 'recurring_payment.import',
        subject: subscriptionSubject({ id }),
        before: { status: before },
        after: { status: after },
      };
    },
    save: ({ session }, changes) => recurring.savePayments(session, changes),
    raiseVersions: ({ session }, records) => recurring.records.raiseVersions(session, records),
  };
}
