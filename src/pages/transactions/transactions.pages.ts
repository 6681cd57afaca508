import { Injectable } from '@nestjs/common';
import type { User } from '../../modules/accounts/account.model.js';
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
  ) {}

  addTo(routes: PageRoutes): void {
    this.addAt(routes, '/transactions', (visit) => visit.query('id'));
    this.addAt(routes, '/transactions/:id', (visit) => visit.textInPath('id'));
  }

  private addAt(routes: PageRoutes, path: string, idIn: (visit: SignedInVisit) => string): void {
    const shown = { operation: 'page.transaction', record: idIn } as const;
    routes.get(path, (visit) => this.transaction(visit.user, idIn(visit)), shown);
  }

  private async transaction(user: User, transaction_id: string): Promise<PageAnswer> {
    const shown = await this.sales.saleOf(user.id, transaction_id);
    // Affiliates do not see customers.
    if (shown.role === 'affiliate') return { ...affiliateSalePage(shown.sale), reads: [] };
    const { pre_key } = shown.sale;
    // The key of a sale may be that of another vendor's subscription.
    const hasOwn = pre_key !== null && (await this.recurring.isOfVendor(user.id, pre_key));
    return vendorSalePage(shown.sale, hasOwn);
  }
}
