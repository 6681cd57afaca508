import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { dateTimeOf, dayOf } from '../../../common/time.js';
import { Database } from '../../../database/database.js';
import { affiliateNameOf } from '../../accounts/account.model.js';
import { SeenUsersService } from '../../accounts/seen/seen-users.service.js';
import { ProductsService } from '../../products/products.service.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import { figuresByPeriod, figuresOf, periodsUntil } from '../figures.js';
import { ItemNamesService } from '../item-names.service.js';
import type { DayRange, Period, PeriodStep, TopItem, Viewer } from '../report.model.js';
import { byGross } from '../reports.service.js';
import type { ItemSums } from '../sums/report-sums.model.js';
import { ReportSumsRepository } from '../sums/report-sums.repository.js';
import { AffiliateCounts } from './affiliate-figures.js';
import type { Affiliate, AffiliateFigures, FiguresRequest } from './affiliate-figures.model.js';
import type { ClickSums, PartOfAffiliate } from './affiliate-sums.model.js';
import { AffiliateSumsRepository } from './affiliate-sums.repository.js';

export interface AffiliateReportRequest extends FiguresRequest {
  readonly affiliate_id: number;
}

export interface AffiliateReport {
  readonly figures: AffiliateFigures;
  /** Step of `periods`: months, or years if there are too many months. */
  readonly by: PeriodStep;
  /** Periods of the range until today, as in Report. */
  readonly periods: readonly Period[];
  /** Products with a sale, a refund or a chargeback in the range, highest gross first. */
  readonly products: readonly TopItem[];
}

/** Reports the results of one affiliate for one vendor. */
@Injectable()
export class AffiliateReportsService {
  constructor(
    private readonly affiliates: AffiliateSumsRepository,
    private readonly sums: ReportSumsRepository,
    private readonly reads: LedgerReadsService,
    private readonly products: ProductsService,
    private readonly users: SeenUsersService,
    private readonly names: ItemNamesService,
    private readonly database: Database,
  ) {}

  /**
   * Returns an affiliate that the vendor may see. Any other id is treated as not found, so that no
   * name is revealed.
   * @throws ApiError not_found if the affiliate has no transaction, affiliate terms or click with
   * the vendor
   */
  async affiliateOf(vendor_id: number, affiliate_id: number): Promise<Affiliate> {
    const isKnown = await this.affiliates.isKnown(this.database, vendor_id, affiliate_id);
    const user = isKnown ? await this.users.userSeenBy(vendor_id, affiliate_id) : null;
    if (user === null) throw new ApiError('not_found', 'You have no such affiliate.');
    return { id: user.id, name: affiliateNameOf(user) };
  }

  /** @throws ApiError invalid_parameters if the range is longer than a chart can show */
  async report({
    vendor_id,
    affiliate_id,
    ...of
  }: AffiliateReportRequest): Promise<AffiliateReport> {
    const today = dayOf(dateTimeOf(new Date()));
    const { by, ranges } = periodsUntil(today, of, 'month');
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const criteria = { viewer, ...of, filter: { affiliate_id } };
    const one = { vendor_id, affiliate_id };
    const [days, items, unpaid, clicks] = await Promise.all([
      this.reads.readFor(viewer, (reader) => this.sums.daySums(reader, criteria)),
      this.reads.readFor(viewer, (reader) => this.affiliates.productSums(reader, criteria)),
      this.reads.readFor(viewer, (reader) => this.affiliates.unpaid(reader, one, today)),
      this.clicksOf(one, of),
    ]);
    const counts = new AffiliateCounts();
    counts.addSums(items.map((sum) => partOf(affiliate_id, sum)));
    counts.addUnpaid(unpaid);
    counts.addClicks(clicks);
    return {
      figures: counts.figuresOf(affiliate_id),
      by,
      periods: figuresByPeriod(ranges, days),
      products: await this.productsOf(viewer, items),
    };
  }

  private async clicksOf(
    { vendor_id, affiliate_id }: Pick<AffiliateReportRequest, 'vendor_id' | 'affiliate_id'>,
    range: DayRange,
  ): Promise<ClickSums[]> {
    const products = await this.products.productsOf(vendor_id);
    const ids = products.map(({ id }) => id);
    return this.affiliates.clicks(this.database, ids, range, affiliate_id);
  }

  private async productsOf(viewer: Viewer, items: readonly ItemSums[]): Promise<TopItem[]> {
    const ids = [...new Set(items.map(({ item_id }) => item_id))];
    const names = await this.names.namesOf(viewer, 'product', ids);
    return ids
      .flatMap((id): TopItem[] => {
        const figures = figuresOf(items.filter(({ item_id }) => item_id === id));
        const { sales, gross, refunds, chargebacks, commissions: net } = figures;
        const returned = refunds.transactions + chargebacks.transactions;
        // The product has only pending transactions, or the subtraction leaves nothing.
        if (sales === 0 && returned === 0) return [];
        return [
          {
            id,
            name: names.get(id) ?? String(id),
            sales,
            gross,
            refunds: refunds.transactions,
            net,
          },
        ];
      })
      .sort(byGross);
  }
}

function partOf(affiliate_id: number, sum: ItemSums): PartOfAffiliate {
  const { part, transactions, amount, commissions: commission } = sum;
  return { affiliate_id, part, transactions, amount, commission };
}
