import { Injectable } from '@nestjs/common';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';
import { REPORTS_PATH } from '../../../platform/pages/paths.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { EarningsService } from './earnings.service.js';
import { EarningsOverview } from './earnings.view.js';

/** Serves what a user earns as an affiliate. */
@Injectable()
export class EarningsPages implements Pages {
  constructor(private readonly earnings: EarningsService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/earnings', (visit) => this.show(visit));
  }

  private async show({ user }: SignedInVisit): Promise<PageAnswer> {
    const earnings = await this.earnings.earningsOf(user.id);
    return pageOf(
      { title: 'My earnings' },
      earnings.products.length === 0 ? (
        <Empty next={[REPORTS_PATH, 'Go to Reports']}>
          You refer no sales yet. Your commissions and terms will be here.
        </Empty>
      ) : (
        <EarningsOverview {...earnings} />
      ),
    );
  }
}
