import { ValidateIf } from 'class-validator';
import { ApiError } from '../../../../api/errors/api-error.js';
import { ApiField } from '../../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../../api/validation/request-inputs.js';
import {
  checkedBy,
  IsCalendarDay,
  IsInteger,
  IsListOf,
  IsOneOf,
  IsOnOrAfter,
} from '../../../../api/validation/validators.js';
import { TRACKED_FIELDS } from '../../../../ledger/sums/kept-sums.model.js';
import type { Comparison, DayRange } from '../../report.model.js';
import {
  FIGURE_GROUPS,
  INTERVALS,
  isValueField,
  type FigureFilter,
  type FigureGroup,
  type FigureRequest,
  type Interval,
} from '../figure.model.js';
import {
  DEFAULT_MEASURES,
  defaultMeasures,
  isMeasure,
  MEASURE_NAMES,
  measureOf,
  type MeasureName,
} from '../measures.js';

const NONE = 'none';
export const REFUND_DAYS = ['refund_date', 'sale_date'] as const;
const ROLES = ['vendor', 'affiliate'] as const;
const COMPARISON_OF: Readonly<Record<string, Comparison>> = {
  previous_period: 'previous',
  previous_year: 'year',
};
export const IDS = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** Accepts a value of a tracked field: any text except the empty one. */
function IsTrackedValue(): PropertyDecorator {
  return checkedBy({
    name: 'isTrackedValue',
    says: 'a text that is not empty',
    schema: { type: 'string', minLength: 1 },
    isOptional: true,
    validate: (value) =>
      value === undefined || (typeof value === 'string' && value !== '' && value.isWellFormed()),
  });
}

function IsGiven(name: keyof FiguresQuery): PropertyDecorator {
  return ValidateIf((query: FiguresQuery) => query[name] !== undefined);
}

export function hasDate({ start_date, end_date }: Partial<DayRange>): boolean {
  return start_date !== undefined || end_date !== undefined;
}

/** Describes the query of `GET /ledger/v1/figures`. */
@RefusesUnknown()
export class FiguresQuery {
  @ApiField(
    `The measures, with commas between them. \`GET /ledger/v1/figures/catalogue\` defines them. By default \`${DEFAULT_MEASURES.join(',')}\`; as an affiliate with \`affiliate_commissions\` in place of \`seller_earnings\`.`,
    DEFAULT_MEASURES.join(','),
  )
  @IsGiven('measures')
  @IsListOf(MEASURE_NAMES)
  measures?: string;

  @ApiField('Property of the sales by which the figures are grouped.', 'product')
  @IsOneOf([...FIGURE_GROUPS, NONE])
  group_by: FigureGroup | typeof NONE = NONE;

  @ApiField(
    'Length of the intervals into which the range is split. Weeks begin on Monday.',
    'month',
  )
  @IsOneOf([...INTERVALS, NONE])
  interval: Interval | typeof NONE = NONE;

  @ApiField(
    'First day of the range in UTC. Without both dates, the range is from the first to the last day with a transaction.',
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

  @ApiField(
    'Range that the figures are compared with. Today and later days are left out of both ranges.',
    'previous_period',
  )
  @IsOneOf([...Object.keys(COMPARISON_OF), NONE])
  compare: string = NONE;

  @ApiField('Only sales of this product.', 10)
  @IsGiven('product_id')
  @IsInteger(IDS)
  product_id?: string;

  @ApiField('Only sales of this affiliate.', 2)
  @IsGiven('affiliate_id')
  @IsInteger(IDS)
  affiliate_id?: string;

  @ApiField(
    '`vendor` for the sales of your products, `affiliate` for the sales that you referred.',
    'vendor',
  )
  @IsOneOf(ROLES)
  as: (typeof ROLES)[number] = 'vendor';

  @ApiField('Only sales with this `utm_source`.', 'newsletter')
  @IsTrackedValue()
  utm_source?: string;

  @ApiField('Only sales with this `utm_campaign`.', 'spring')
  @IsTrackedValue()
  utm_campaign?: string;

  @ApiField('Only sales with this `tid`.', 'banner')
  @IsTrackedValue()
  tid?: string;

  @ApiField('Only sales with this `sub_id1`.', 'a')
  @IsTrackedValue()
  sub_id1?: string;

  @ApiField('Only sales with this `sub_id2`.', 'b')
  @IsTrackedValue()
  sub_id2?: string;

  @ApiField('Only sales with this `sub_id3`.', 'c')
  @IsTrackedValue()
  sub_id3?: string;

  @ApiField('Only sales with this `sub_id4`.', 'd')
  @IsTrackedValue()
  sub_id4?: string;

  @ApiField('Only sales with this `sub_id5`.', 'e')
  @IsTrackedValue()
  sub_id5?: string;

  /** Fields of a transaction by which the query groups or filters. */
  get fields(): readonly string[] {
    const { group_by } = this;
    const filtered = TRACKED_FIELDS.filter((field) => this[field] !== undefined);
    return [...(isValueField(group_by) ? [group_by] : []), ...filtered];
  }

  /** @throws ApiError invalid_parameters if parameters do not go together */
  toRequest(user_id: number, today: string): FigureRequest {
    const measures = this.measureNames();
    const group = this.group_by === NONE ? null : this.group_by;
    const request: FigureRequest = {
      viewer: { role: this.as, user_id },
      measures,
      group,
      interval: this.interval === NONE ? null : this.interval,
      attribution: this.refunds_on === 'sale_date' ? 'sale' : 'refund',
      comparison: COMPARISON_OF[this.compare] ?? 'none',
      range: this.range,
      filter: this.filter,
      today,
    };
    const problems = problemsOf(request);
    if (problems.length > 0) throw new ApiError('invalid_parameters', `${problems.join('; ')}.`);
    return request;
  }

  private get range(): DayRange | null {
    const { start_date, end_date } = this;
    return start_date === undefined || end_date === undefined ? null : { start_date, end_date };
  }

  private get filter(): FigureFilter {
    const { product_id, affiliate_id } = this;
    const tracked = TRACKED_FIELDS.flatMap((field) => {
      const value = this[field];
      return value === undefined ? [] : [{ field, value }];
    });
    const [one] = tracked;
    if (tracked.length > 1 || (one && (product_id ?? affiliate_id) !== undefined)) {
      const problem =
        'Figures are filtered by product_id, affiliate_id, both, or one tracked field.';
      throw new ApiError('invalid_parameters', problem);
    }
    return {
      ...(product_id === undefined ? {} : { product_id: Number(product_id) }),
      ...(affiliate_id === undefined ? {} : { affiliate_id: Number(affiliate_id) }),
      ...(one === undefined ? {} : { tracked: one }),
    };
  }

  private measureNames(): readonly MeasureName[] {
    if (this.measures === undefined) return defaultMeasures(this.as);
    return [...new Set(this.measures.split(','))].filter(isMeasure);
  }
}

/** Returns what the parameters of a request contradict. */
function problemsOf({ viewer, measures, group, filter }: FigureRequest): string[] {
  const { tracked, product_id, affiliate_id } = filter;
  const problems: string[] = [];
  if (viewer.role === 'affiliate') {
    const hidden = measures.filter((name) => measureOf(name).isOfVendor === true);
    if (hidden.length > 0) {
      problems.push(`measures must not have ${hidden.join(', ')} as an affiliate`);
    }
    if (group !== null && group !== 'product') {
      problems.push('group_by must be product or none as an affiliate');
    }
    if (affiliate_id !== undefined || tracked !== undefined) {
      problems.push('only product_id filters as an affiliate');
    }
  }
  const clicks = measures.filter((name) => measureOf(name).hasClicks === true);
  if (clicks.length > 0 && (isValueField(group) || tracked !== undefined)) {
    problems.push(`${clicks.join(', ')} are not known by tracked field`);
  }
  const isUnpaidFiltered = product_id !== undefined || tracked !== undefined;
  if (measures.includes('unpaid_commissions') && isUnpaidFiltered) {
    problems.push('unpaid_commissions are known by affiliate only, so no other filter applies');
  }
  return problems;
}
