import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import type { Session } from '../../database/database.js';
import type { Stored } from '../../ledger-format/overruled-fields.js';
import { PERSONAL_OF_RECURRING_PAYMENT } from '../../ledger-format/personal-data.js';
import type { RecordChange, Versioned } from '../../ledger-format/record-version.js';
import type { RecurringPayment } from './recurring-payment.model.js';
import { RecurringRepository } from './recurring.repository.js';

/** Payments that customers agreed to repeat. */
@Injectable()
export class RecurringService {
  constructor(private readonly repository: RecurringRepository) {}

  /**
   * A recurring payment for a product of the vendor.
   * @throws ApiError not_found if it does not exist or belongs to another vendor
   */
  async paymentOf(vendor_id: number, pre_key: string): Promise<RecurringPayment> {
    const payment = await this.repository.paymentOfVendor(vendor_id, pre_key);
    if (payment === null) throw new ApiError('not_found', 'There is no such recurring payment.');
    return payment;
  }

  /** The same without personal data, if it is left out. */
  async shownPaymentOf(
    vendor_id: number,
    pre_key: string,
    isMasked: boolean,
  ): Promise<RecurringPayment> {
    const payment = await this.paymentOf(vendor_id, pre_key);
    return isMasked ? { ...payment, ...PERSONAL_OF_RECURRING_PAYMENT } : payment;
  }

  /** Reads payments and locks them until the session ends. */
  lockedPayments(
    session: Session,
    pre_keys: readonly string[],
  ): Promise<Stored<RecurringPayment>[]> {
    return this.repository.lockedPayments(session, pre_keys);
  }

  /** The keys that belong to a payment. */
  knownPreKeys(session: Session, pre_keys: Iterable<string>): Promise<string[]> {
    return this.repository.knownPreKeys(session, pre_keys);
  }

  /** Inserts new payments, and replaces locked ones. */
  savePayments(
    session: Session,
    payments: readonly (Stored<RecurringPayment> & RecordChange<RecurringPayment>)[],
  ): Promise<void> {
    return this.repository.savePayments(session, payments);
  }

  /** Sets the versions of stored payments, and nothing else. */
  raiseVersions(session: Session, payments: readonly Versioned<RecurringPayment>[]): Promise<void> {
    return this.repository.raiseVersions(session, payments);
  }
}
