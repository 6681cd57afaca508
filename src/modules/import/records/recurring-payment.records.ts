import {
  readRecurringPayment,
  type RecurringPaymentRecord,
} from '../../../ledger-format/recurring-payment.record.js';
import { PERSONAL_RECURRING_PAYMENTS } from '../../../ledger-format/personal-data.js';
import type { RecurringService } from '../../recurring/recurring.service.js';
import type { ProductsService } from '../../products/products.service.js';
import type { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import { BEFORE_THE_BATCH } from '../batch-run.js';
import { vendorIdOf, type ArrivingPersonalData } from '../personal-data/arriving-personal-data.js';
import type { RecordKind } from '../record-kind.js';
import { missingProduct, ofOwnProduct } from './references.js';

interface Services {
  readonly recurring: RecurringService;
  readonly products: ProductsService;
  readonly transactions: TransactionWritesService;
  readonly personal: ArrivingPersonalData;
}

/** Applies `recurring_payment` records. */
export function recurringPaymentRecords({
  recurring,
  products,
  transactions,
  personal,
}: Services): RecordKind<RecurringPaymentRecord> {
  /** The vendors of the products of stored payments, for a source of one vendor. */
  const vendors = new Map<number, number>();

  return {
    type: 'recurring_payment',
    read: readRecurringPayment,
    identity: ({ pre_key }) => pre_key,
    addReferences: ({ product_id }, references) => {
      references.products.add(product_id);
    },
    stored: async (run, payments) => {
      const pre_keys = payments.map(({ pre_key }) => pre_key);
      const stored = await recurring.lockedPayments(run.session, pre_keys);
      const known = await recurring.knownPreKeys(run.session, run.references.pre_keys);
      for (const pre_key of [...known, ...stored.map(({ content }) => content.pre_key)]) {
        run.pre_keys.set(pre_key, BEFORE_THE_BATCH);
      }
      if (run.onlyVendor !== null) {
        const ids = stored.map(({ content }) => content.product_id);
        const sold = await products.storedProducts(run.session, ids);
        for (const { id, vendor_id } of sold) vendors.set(id, vendor_id);
      }
      return stored;
    },
    keptOf: async (run, payments) => {
      const vendors = payments.flatMap((payment) => vendorIdOf(payment, run) ?? []);
      if (run.dryRun === null) await transactions.lock(run.session, vendors, []);
      return personal.keptOf(run, PERSONAL_RECURRING_PAYMENTS, payments);
    },
    problem: ({ product_id }, line, run) => missingProduct(product_id, line, run),
    /** A payment that is there may not be taken over from another vendor. */
    forVendor: (payment, at, run, before) => {
      const vendorBefore = before && (vendors.get(before.product_id) ?? at.vendor_id);
      return vendorBefore === undefined || vendorBefore === at.vendor_id
        ? ofOwnProduct(payment, at, run)
        : { reject: "pre_key: is another vendor's recurring payment and can't move" };
    },
    addToRun: ({ pre_key }, since, run) => {
      run.pre_keys.set(pre_key, since);
    },
    referredTo: ({ pre_keys }) => pre_keys,
    /** Only the status: the other fields are the customer's data or counters. */
    audited: ({ status: before }, { id, status: after }) => {
      if (before === after) return null;
      return {
        action: 'recurring_payment.import',
        subject: `recurring payment ${id}`,
        before: { status: before },
        after: { status: after },
      };
    },
    save: ({ session }, changes) => recurring.savePayments(session, changes),
    raiseVersions: ({ session }, records) => recurring.raiseVersions(session, records),
  };
}
