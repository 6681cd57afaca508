import { Injectable } from '@nestjs/common';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { RecurringQueriesService } from '../../recurring/index.js';
import { CustomerSumsRepository } from './customer-sums.repository.js';
import type { Customer } from './customer.model.js';

/** Finds a customer of a vendor by the e-mail address (docs/queries.md). */
@Injectable()
export class CustomersService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly sums: CustomerSumsRepository,
    private readonly recurring: RecurringQueriesService,
  ) {}

  /**
   * Returns the customer with everything that was committed before the call, and the cursor of that
   * state. The customer is null if neither a transaction nor a subscription has the e-mail address.
   */
  customerWith(
    vendor_id: number,
    email: string,
  ): Promise<{ readonly customer: Customer | null; readonly cursor: number }> {
    return this.feed.readCurrent(vendor_id, async (reader, cursor) => {
      const sums = await this.sums.sumsOf(reader, vendor_id, email);
      const { all, active } = await this.recurring.countOf(reader, vendor_id, email);
      const isKnown = sums.transactions + all > 0;
      return { customer: isKnown ? { ...sums, active_recurring_payments: active } : null, cursor };
    });
  }
}
