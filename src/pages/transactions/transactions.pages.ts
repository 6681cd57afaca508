import { Injectable } from '@nestjs/common';
import { shownRecord } from '../../modules/personal-reads/personal-read.model.js';
import { PersonalReadLog } from '../../modules/personal-reads/personal-read-log.service.js';
import { RecurringService } from '../../modules/recurring/recurring.service.js';
import { SaleService } from '../../modules/reports/sale/sale.service.js';
import type { PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { affiliateSalePage } from './affiliate-sale.view.js';
import { vendorSalePage } from './vendor-sale.view.js';

/**
 * Serves the page of each transaction of a user; http/dot-segment.ts explains why there are two
 * addresses.
 */
@Injectable()
export class TransactionPages implements Pages {
  constructor(
    private readonly sales: SaleService,
    private readonly recurring: RecurringService,
    private readonly personalReads: PersonalReadLog,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/transactions', (visit) => this.transaction(visit, visit.query('id')));
    routes.get('/transactions/:id', (visit) => this.transaction(visit, visit.textInPath('id')));
  }

  private async transaction(visit: SignedInVisit, transaction_id: string): Promise<PageAnswer> {
    const { user } = visit;
    const shown = await this.sales.saleOf(user.id, transaction_id);
    if (shown.role === 'affiliate') return affiliateSalePage(shown.sale);
    this.personalReads.addOnPage(visit, 'page.transaction', shownRecord(transaction_id));
    const { pre_key } = shown.sale;
    // The key of a sale may be that of another vendor's subscription.
    const hasOwn = pre_key !== null && (await this.recurring.isOfVendor(user.id, pre_key));
    return vendorSalePage(shown.sale, hasOwn);
  }
}
