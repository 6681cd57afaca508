import { applyDecorators } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { ApiField } from '../../../api/validation/api-field.js';
import { checkedNamesOf } from '../../../api/validation/request-inputs.js';
import {
  IsAmount,
  IsAtLeast,
  IsIdList,
  IsListOf,
  IsOneOf,
  IsShortText,
  IsText,
} from '../../../api/validation/validators.js';
import { COMMISSION_STATUSES, TRACKING_FIELDS } from '../../../ledger/columns.js';
import { STATUSES_BY_WORD } from '../../../ledger/reads/transaction.model.js';
import {
  type CountedFigure,
  LIST_FIGURE_NAMES,
  type ListFigure,
} from '../../../ledger/sums/list-figures.js';
import { lowerCase } from '../../../platform/database/entities/spellings.js';
import { CENTS, parseDecimal } from '../../../platform/values/money.js';
import {
  type DayRange,
  filterOf,
  QUERY_DATES,
  type QueryDate,
  type TrackingField,
  type TransactionFilter,
  type TransactionsQuery,
} from './query.model.js';

const STATUS_WORDS = [...STATUSES_BY_WORD.keys()];
const FLAGS = ['true', 'false'] as const;

/** Declares a parameter that filters by a tracking field. */
function TrackingFilter(field: TrackingField): PropertyDecorator {
  return applyDecorators(
    ApiField(
      `Only transactions whose \`tracking.${field}\` is exactly this text, case included.`,
      'example',
    ),
    IsOptional(),
    IsText(),
  );
}

/** The filters of transactions, which queries and exports share. Each field holds the text as sent. */
export class TransactionFilters {
  @ApiField(
    'The date that must lie between `start_date` and `end_date`: `sale`, `refund` (of a refund or chargeback without a refund date, the sale date), or `either`, as in 3.0.',
    'either',
  )
  @IsOneOf(QUERY_DATES)
  date: QueryDate = 'either';

  @ApiField('Only transactions with one of these statuses, with commas between them.', 'settled')
  @IsOptional()
  @IsListOf(STATUS_WORDS)
  status?: string;

  @ApiField('Only transactions of these products: up to 100 ids with commas between them.', '101')
  @IsOptional()
  @IsIdList()
  product_id?: string;

  @ApiField('Only sales of these affiliates: up to 100 ids with commas between them.', '2004')
  @IsOptional()
  @IsIdList()
  affiliate_id?: string;

  @ApiField(
    'Only transactions with this e-mail address of the customer: the whole address, in any letter case. Not for applications with masked access, like filters by other personal data.',
    'mara@example.com',
  )
  @IsOptional()
  @IsShortText()
  email?: string;

  @ApiField('Only payments of the recurring payment with this key.', 'PRE-7K2M')
  @IsOptional()
  @IsShortText()
  pre_key?: string;

  @ApiField(
    'Only sales of affiliates whose commission has one of these statuses, with commas between them.',
    'UNPAID',
  )
  @IsOptional()
  @IsListOf(COMMISSION_STATUSES)
  commission_status?: string;

  @ApiField('Only transactions of at least this amount.', '10.00')
  @IsOptional()
  @IsAmount()
  min_amount?: string;

  @ApiField('Only transactions of at most this amount. Must be at least `min_amount`.', '50.00')
  @IsOptional()
  @IsAmount()
  @IsAtLeast('min_amount')
  max_amount?: string;

  @ApiField(
    '`true` for refunds, in whole or in part, but not chargebacks; `false` for all other transactions.',
    'true',
  )
  @IsOptional()
  @IsOneOf(FLAGS)
  refunded?: string;

  @ApiField(
    'Figure to which the transactions add up: each has the additional fields `kind` (`sale`, or `rebill` for a later payment of a recurring payment), `currency` and `in_period`, which is how much of it the figure counts in the range. Refunds and chargebacks count on their own day, or with `date=sale` on the day of the sale. `commissions` are those of affiliates, agents and partners; `other` is what is left of the amounts, such as taxes, as a negative number. It filters nothing.',
    'seller_earnings',
  )
  @IsOptional()
  @IsOneOf(LIST_FIGURE_NAMES)
  figure?: ListFigure;

  /** Returns the names of the filters in use, among which `date` always is. */
  get used(): string[] {
    const fields = new Map<string, unknown>(Object.entries(this));
    return FILTER_NAMES.filter((name) => fields.get(name) !== undefined);
  }

  /** True if the filters can leave transactions of a range out. */
  get areUsed(): boolean {
    return this.date !== 'either' || this.used.length > 1;
  }

  /** Returns the filter in one form for each meaning. */
  toFilter(): TransactionFilter {
    const { status, email, refunded } = this;
    return filterOf({
      statuses: status === undefined ? undefined : statusesIn(status),
      refunded: refunded === undefined ? undefined : refunded === 'true',
      product_ids: idsIn(this.product_id),
      affiliate_ids: idsIn(this.affiliate_id),
      email: email === undefined ? undefined : lowerCase(email.trim()),
      pre_key: this.pre_key,
      commission_statuses: commissionStatusesIn(this.commission_status),
      least_amount: centsIn(this.min_amount),
      most_amount: centsIn(this.max_amount),
      tracking: this.tracking,
    });
  }

  private get tracking(): TransactionFilter['tracking'] {
    const fields = new Map<string, unknown>(Object.entries(this));
    const given = TRACKING_FIELDS.flatMap((field): [TrackingField, string][] => {
      const value = fields.get(field);
      return typeof value === 'string' ? [[field, value]] : [];
    });
    return given.length === 0 ? undefined : Object.fromEntries(given);
  }
}

// Each tracking field is a filter, so that a new one needs no change here.
for (const field of TRACKING_FIELDS) TrackingFilter(field)(TransactionFilters.prototype, field);

/** Names of the parameters that filter transactions. */
export const FILTER_NAMES: readonly string[] = checkedNamesOf(TransactionFilters);

/** The range of all days that a ledger can have. */
const ALL_DAYS = { start_date: '1000-01-01', end_date: '9999-12-31' } as const;

/** Returns the query of a vendor for filters with their range of days. */
export function queryIn(
  filters: TransactionFilters & Partial<DayRange>,
  vendor_id: number,
): TransactionsQuery {
  const { start_date, end_date, date } = filters;
  const hasRange = (start_date ?? end_date) !== undefined;
  return {
    viewer: { role: 'vendor', user_id: vendor_id },
    start_date: start_date ?? ALL_DAYS.start_date,
    end_date: end_date ?? ALL_DAYS.end_date,
    // Without a range, each refund is that of a sale in the range.
    date: date === 'either' && !hasRange ? 'sale' : date,
    filter: filters.toFilter(),
  };
}

/** Returns the figure that is asked for with the transactions of a query. */
export function countedIn(
  { figure }: TransactionFilters,
  { start_date, end_date, date }: TransactionsQuery,
): CountedFigure | null {
  if (figure === undefined) return null;
  return { figure, start_date, end_date, attribution: date === 'sale' ? 'sale' : 'refund' };
}

function statusesIn(words: string) {
  return [...STATUSES_BY_WORD].flatMap(([word, status]) =>
    words.split(',').includes(word) ? [status] : [],
  );
}

function commissionStatusesIn(words: string | undefined) {
  if (words === undefined) return undefined;
  return COMMISSION_STATUSES.filter((status) => words.split(',').includes(status));
}

function idsIn(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  return [...new Set(list.split(',').map(Number))].sort((one, other) => one - other);
}

function centsIn(amount: string | undefined): number | undefined {
  return amount === undefined ? undefined : (parseDecimal(amount, CENTS) ?? undefined);
}
