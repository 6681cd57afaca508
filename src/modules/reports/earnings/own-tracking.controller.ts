import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { IsOptional, ValidateIf } from 'class-validator';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import {
  IsCalendarDay,
  IsInteger,
  IsOneOf,
  IsOnOrAfter,
} from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { formatCents, formatDecimal, RATE_PLACES, rateOf } from '../../../platform/values/money.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { hasDate, IDS, REFUND_DAYS } from '../figures/http/figures.query.js';
import type { DayRange, Figures } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { OwnTrackingService } from './own-tracking.service.js';

@RefusesUnknown()
class OwnTrackingQuery {
  @ApiField(
    'First day of the range in UTC. Without both dates, the range is from the first to the last day with a transaction that you referred.',
    '2025-06-01',
  )
  @ValidateIf(hasDate)
  @IsCalendarDay()
  start_date?: string;

  @ApiField(
    'Last day of the range in UTC, inclusive. Must be on or after `start_date`.',
    '2025-06-30',
  )
  @ValidateIf(hasDate)
  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date?: string;

  @ApiField(
    'Day on which a refund or chargeback counts: its own, or that of its sale.',
    'refund_date',
  )
  @IsOneOf(REFUND_DAYS)
  refunds_on: (typeof REFUND_DAYS)[number] = 'refund_date';

  @ApiField('Only sales of the products of this vendor.', 1)
  @IsOptional()
  @IsInteger(IDS)
  vendor_id?: string;
}

const DESCRIPTION = [
  'Returns what each of your tracking ids (`tid`) earned you as an affiliate in a range: one item for each `tid` of the sales that you referred, the highest commission first, and an item with a null `tid` for sales without one. `GET /ledger/v1/earnings` has the terms, and what is paid.',
  'At most 1,000 values with a sale in the range have an item. `meta.other` has the rest, so the items and `meta.other` add up to `meta.totals`. At most 50,000 sales are read, newest first: `meta.searched_to` is the day as far as which they were read, and what older sales add is in `meta.other`; it is null if all were read.',
].join('\n\n');

/** Serves what the tracking ids of an affiliate earned. See docs/figures.md. */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class OwnTrackingController {
  constructor(
    private readonly tracking: OwnTrackingService,
    private readonly reports: ReportsService,
  ) {}

  @Get('earnings/tracking')
  @ApiOperation({
    id: 'getTrackingEarnings',
    summary: 'Get your earnings by tracking id',
    description: DESCRIPTION,
  })
  async get(@CurrentPrincipal() principal: Principal, @Query() query: OwnTrackingQuery) {
    const { refunds_on, vendor_id } = query;
    const affiliate_id = principal.user_id;
    const range = await this.rangeOf(affiliate_id, query);
    const { lines, none, other, total, searched_to } = await this.tracking.trackingOf({
      affiliate_id,
      ...(vendor_id === undefined ? {} : { vendor_id: Number(vendor_id) }),
      ...range,
      attribution: refunds_on === 'sale_date' ? 'sale' : 'refund',
    });
    const whole = total.commissions;
    const items = [
      ...lines.map(({ value, figures }) => ({ tid: value, figures })),
      ...(none === null ? [] : [{ tid: null, figures: none }]),
    ];
    return {
      results: items.map(({ tid, figures }) => ({ tid, ...presentFigures(figures, whole) })),
      meta: {
        range,
        totals: presentFigures(total, whole),
        other: other && presentFigures(other, whole),
        searched_to,
      },
    };
  }

  private async rangeOf(
    user_id: number,
    { start_date, end_date }: OwnTrackingQuery,
  ): Promise<DayRange> {
    if (start_date !== undefined && end_date !== undefined) return { start_date, end_date };
    const today = todayInUtc();
    const all = await this.reports.allTime({ role: 'affiliate', user_id });
    return all ?? { start_date: today, end_date: today };
  }
}

function presentFigures({ sales, commissions, refunds, refund_rate }: Figures, whole: bigint) {
  const share = whole > 0n ? rateOf(commissions, whole) : 0n;
  return {
    sales,
    earned: formatCents(commissions),
    share: formatDecimal(share, RATE_PLACES),
    refunds: refunds.transactions,
    refund_rate: formatDecimal(refund_rate, RATE_PLACES),
  };
}
