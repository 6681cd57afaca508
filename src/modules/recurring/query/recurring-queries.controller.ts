import { Controller, Get, Query, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import type { Response } from 'express';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import { CurrentPrincipal, isMasked, type Principal } from '../../../api/access/principal.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { checkedNamesOf, RefusesUnknown } from '../../../api/validation/request-inputs.js';
import {
  IsCalendarDay,
  IsIdList,
  IsOnOrAfter,
  IsShortText,
} from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { QueryPageParams } from '../../../ledger/reads/query-page.params.js';
import { checkFields } from '../../../ledger/reads/masked-filters.js';
import { AnswerMemory, memoryOfRows } from '../../../platform/limits/memory/answer-memory.js';
import { formatDateTime } from '../../../platform/values/time.js';
import { presentRecurringPayment } from '../recurring-payment.model.js';
import {
  type FoundPayment,
  type RecurringFilter,
  RecurringQueriesService,
} from './recurring-queries.service.js';

/** Describes the query of `GET /ledger/v1/recurring_payments`. Each field holds the text as sent. */
@RefusesUnknown()
class QueryRecurringPaymentsQuery extends QueryPageParams {
  @ApiField(
    'Only recurring payments with one of these status words, in any letter case, with commas between them.',
    'ACTIVE',
  )
  @IsOptional()
  @IsShortText()
  status?: string;

  @ApiField('Only those of these products: up to 100 ids with commas between them.', '101')
  @IsOptional()
  @IsIdList()
  product_id?: string;

  @ApiField(
    'Only those with this e-mail address: at the payment processor, of the contact or of the sender; the whole address, in any letter case.',
    'mara@example.com',
  )
  @IsOptional()
  @IsShortText()
  email?: string;

  @ApiField(
    'Beginning of the first or last name of the customer in the newest payment, in any letter case, or the beginnings of both with a space between them.',
    'mara',
  )
  @IsOptional()
  @IsShortText()
  name?: string;

  @ApiField(
    'Only active ones whose `next_date` is before this day in UTC. Must be on or after `due_after`.',
    '2025-07-01',
  )
  @IsOptional()
  @IsCalendarDay()
  @IsOnOrAfter('due_after')
  due_before?: string;

  @ApiField('Only active ones whose `next_date` is after this day in UTC.', '2025-06-30')
  @IsOptional()
  @IsCalendarDay()
  due_after?: string;

  get used(): string[] {
    const fields = new Map<string, unknown>(Object.entries(this));
    return checkedNamesOf(QueryRecurringPaymentsQuery).filter(
      (name) => fields.get(name) !== undefined,
    );
  }

  toFilter(): RecurringFilter {
    const { status, product_id, email, name } = this;
    return {
      statuses: status === undefined ? null : status.split(','),
      product_ids: product_id === undefined ? null : product_id.split(',').map(Number),
      email: email?.trim() ?? null,
      name: name?.trim() ?? null,
      due_before: this.due_before ?? null,
      due_after: this.due_after ?? null,
    };
  }
}

/** Handles the query of recurring payments (docs/queries.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class RecurringQueriesController {
  constructor(
    private readonly queries: RecurringQueriesService,
    private readonly memory: AnswerMemory,
  ) {}

  @Get('recurring_payments')
  @ApiOperation({
    id: 'queryRecurringPayments',
    summary: 'Query recurring payments',
    description:
      'Returns your recurring payments that meet all filters, as 2.0 shows them and with the time when this service canceled them, in the order of their keys. Pages and their metadata are those of `GET /ledger/v1/transactions`; `meta.searched_to` is a key.',
  })
  @ShowsPersonalData('queryRecurringPayments')
  async query(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
    @Query() query: QueryRecurringPaymentsQuery,
  ) {
    checkFields(principal, query.used);
    const { user_id: vendor_id } = principal;
    const limit = Number(query.limit);
    await this.memory.forResponse(response, vendor_id, memoryOfRows(limit));
    const { payments, meta } = await this.queries.page({
      vendor_id,
      filter: query.toFilter(),
      limit,
      after: query.after ?? null,
      isMasked: isMasked(principal),
    });
    return { results: payments.map(presentFound), meta };
  }
}

function presentFound({ canceled_on, ...payment }: FoundPayment) {
  return {
    ...presentRecurringPayment(payment),
    canceled_on: canceled_on === null ? null : formatDateTime(canceled_on),
  };
}
