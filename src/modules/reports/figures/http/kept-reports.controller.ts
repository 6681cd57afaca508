import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { ValidateIf } from 'class-validator';
import { CurrentPrincipal, type Principal } from '../../../../api/access/principal.js';
import { TaggedByRevision } from '../../../../api/cache/conditional-get.interceptor.js';
import type { AnswerAtRevision } from '../../../../api/cache/revision-source.js';
import { ApiError } from '../../../../api/errors/api-error.js';
import { ApiField } from '../../../../api/validation/api-field.js';
import { NoQuery, RefusesUnknown } from '../../../../api/validation/request-inputs.js';
import { checkedBy, IsInteger, IsOneOf } from '../../../../api/validation/validators.js';
import { ApiOperation } from '../../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../../api/versions/api-versions.js';
import { daysAfter, monthOf, todayInUtc } from '../../../../platform/values/time.js';
import { UPCOMING_DAYS } from '../../../recurring/index.js';
import type { CohortRequest, CohortScope } from '../../cohorts/cohort.model.js';
import { stateNumber } from '../figure.model.js';
import { KeptReportsService } from '../kept-reports.service.js';
import {
  presentCohort,
  presentDue,
  presentUnpaid,
  presentUnpaidOf,
} from './kept-reports.presenter.js';

const RETURNS = ['both', 'refunds', 'chargebacks'] as const;
const IDS = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** Accepts a month, such as `2025-06`. */
function IsMonth(): PropertyDecorator {
  const month = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;
  return checkedBy({
    name: 'isMonth',
    says: 'a month in the form YYYY-MM',
    schema: { type: 'string', pattern: month.source },
    validate: (value) => typeof value === 'string' && month.test(value),
  });
}

@RefusesUnknown()
class CohortsQuery {
  @ApiField('Only sales of this product. Not together with `affiliate_id`.', 10)
  @ValidateIf(({ product_id }: CohortsQuery) => product_id !== undefined)
  @IsInteger(IDS)
  product_id?: string;

  @ApiField('Only sales of this affiliate. Not together with `product_id`.', 2)
  @ValidateIf(({ affiliate_id }: CohortsQuery) => affiliate_id !== undefined)
  @IsInteger(IDS)
  affiliate_id?: string;

  @ApiField('What counts as returned.', RETURNS[0])
  @IsOneOf(RETURNS)
  returns: (typeof RETURNS)[number] = RETURNS[0];

  @ApiField(
    'Last month of sales, as YYYY-MM; the current month by default. `meta.older` and `meta.newer` have the values for the pages before and after.',
    '2025-06',
  )
  @ValidateIf(({ until }: CohortsQuery) => until !== undefined)
  @IsMonth()
  until?: string;

  /** @throws ApiError invalid_parameters if two filters are given, or a future month */
  toRequest(vendor_id: number, today: string): CohortRequest {
    const until = this.until === undefined ? monthOf(today) : `${this.until}-01`;
    if (until > today)
      throw new ApiError('invalid_parameters', 'until must not be a future month.');
    const kinds = (['refund', 'chargeback'] as const).filter(
      (kind) => this.returns === 'both' || this.returns === `${kind}s`,
    );
    return { vendor_id, scope: this.scope, kinds, until, today };
  }

  private get scope(): CohortScope {
    const { product_id, affiliate_id } = this;
    if (product_id !== undefined && affiliate_id !== undefined) {
      const problem = 'Cohorts are filtered by product_id or by affiliate_id, not by both.';
      throw new ApiError('invalid_parameters', problem);
    }
    if (product_id !== undefined) return { series: 'product', id: Number(product_id) };
    if (affiliate_id !== undefined) return { series: 'affiliate', id: Number(affiliate_id) };
    return { series: 'total' };
  }
}

/** Serves the reports of a vendor that are not figures of a range. See docs/figures.md. */
@Controller({ path: `${LEDGER_PATH}/figures`, version: VERSION_NEUTRAL })
export class KeptReportsController {
  constructor(private readonly reports: KeptReportsService) {}

  @Get('unpaid')
  @TaggedByRevision()
  @ApiOperation({
    id: 'getUnpaidCommissions',
    summary: 'Get unpaid commissions',
    description:
      'Returns the unpaid commissions of each affiliate who has any, as of now: in total, what is due now and what is on hold, and by the age of the sales in days, today being 0. Commissions are on hold for products on affiliate terms whose commissions are delayed today. `meta.totals` has the sums of all affiliates.',
  })
  async unpaid(
    @CurrentPrincipal() principal: Principal,
    @Query() _query: NoQuery,
  ): Promise<AnswerAtRevision> {
    const { items, total, state } = await this.reports.unpaid(principal.user_id, todayInUtc());
    const meta = { cursor: String(state.cursor), totals: presentUnpaid(total) };
    return { results: items.map(presentUnpaidOf), meta, revision: stateNumber(state) };
  }

  @Get('renewals')
  @TaggedByRevision()
  @ApiOperation({
    id: 'getRenewals',
    summary: 'Get due renewals',
    description: `Returns the active recurring payments that are due on each of the next ${UPCOMING_DAYS} days in UTC, from today on. \`meta.overdue\` has those that were due before today.`,
  })
  async renewals(
    @CurrentPrincipal() principal: Principal,
    @Query() _query: NoQuery,
  ): Promise<AnswerAtRevision> {
    const { upcoming, counts, created, state } = await this.reports.renewals(principal.user_id);
    const { days, total, overdue } = upcoming;
    const today = todayInUtc();
    const byDay = new Map(days.map((due) => [due.day, due]));
    const none = { agreements: 0, amount: 0n };
    const results = Array.from({ length: UPCOMING_DAYS }, (_, index) => {
      const date = daysAfter(today, index);
      return { date, ...presentDue(byDay.get(date) ?? none) };
    });
    const meta = {
      cursor: String(state.cursor),
      totals: presentDue(total),
      overdue: presentDue(overdue),
      recurring_payments: counts,
      created,
    };
    return { results, meta, revision: stateNumber(state) };
  }

  @Get('cohorts')
  @TaggedByRevision()
  @ApiOperation({
    id: 'getCohorts',
    summary: 'Get refunds by month of sale',
    description:
      'Returns 24 months of sales, newest first, with what was refunded and charged back until the end of the month of the sale, of the month after it, and so on. Months without sales are left out.',
  })
  async cohorts(
    @CurrentPrincipal() principal: Principal,
    @Query() query: CohortsQuery,
  ): Promise<AnswerAtRevision> {
    const request = query.toRequest(principal.user_id, todayInUtc());
    const { cohorts, undated, older, newer, state } = await this.reports.cohorts(request);
    const monthText = (month: string | null) => month?.slice(0, 7) ?? null;
    const meta = {
      cursor: String(state.cursor),
      undated,
      older: monthText(older),
      newer: monthText(newer),
    };
    return { results: cohorts.map(presentCohort), meta, revision: stateNumber(state) };
  }
}
