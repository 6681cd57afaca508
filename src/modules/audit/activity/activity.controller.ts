import { Controller, Get, Query, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import type { Answer } from '../../../api/envelope/envelope.js';
import { FileAnswer } from '../../../api/envelope/rendered-answer.js';
import { wantsCsv } from '../../../api/envelope/wants-csv.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import {
  IsCalendarDay,
  IsListOf,
  IsOnOrAfter,
  IsShortText,
} from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { QueryPageParams } from '../../../ledger/reads/query-page.params.js';
import { CSV_TYPE } from '../../../platform/files/csv.js';
import { AnswerMemory, memoryOfRows } from '../../../platform/limits/memory/answer-memory.js';
import { activityCsv } from './activity-csv.js';
import { ACTIVITY_KINDS, kindsIn, presentActivity, type ActivityFilter } from './activity.model.js';
import { ActivityService } from './activity.service.js';

/** Describes the query of `GET /ledger/v1/activity`. Each field holds the text as sent. */
@RefusesUnknown()
class ActivityQuery extends QueryPageParams {
  @ApiField('Only changes of these kinds, with commas between them.', 'relationships,webhooks')
  @IsOptional()
  @IsListOf(ACTIVITY_KINDS)
  kinds?: string;

  @ApiField('Only changes of this subject, as an entry names it.', 'affiliate 2002, product 101')
  @IsOptional()
  @IsShortText()
  subject?: string;

  @ApiField('Only changes on or after this day in UTC.', '2025-06-01')
  @IsOptional()
  @IsCalendarDay()
  start_date?: string;

  @ApiField('Only changes on or before this day in UTC.', '2025-06-30')
  @IsOptional()
  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date?: string;

  toFilter(): ActivityFilter {
    const { kinds, subject, start_date, end_date } = this;
    return {
      kinds: kinds === undefined ? null : kindsIn(kinds),
      subject: subject ?? null,
      start_date: start_date ?? null,
      end_date: end_date ?? null,
    };
  }
}

const DESCRIPTION = [
  'Returns the changes that were made in your account, newest first: who changed affiliate terms, API applications, webhooks, subscriptions and settings, when, and from what to what.',
  'Changes by the operator of this service are among them. Secrets are never part of an entry. For a key without full access, the values of names, addresses and URLs are null.',
  'With `Accept: text/csv`, all entries that meet the filters are returned as CSV; `limit` and `after` do not apply.',
].join('\n\n');

/** Handles the query of an account's activity (docs/activity.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class ActivityController {
  constructor(
    private readonly activity: ActivityService,
    private readonly memory: AnswerMemory,
  ) {}

  @Get('activity')
  @ApiOperation({ id: 'queryActivity', summary: 'Query activity', description: DESCRIPTION })
  async query(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query() query: ActivityQuery,
  ): Promise<Answer | FileAnswer> {
    const { user_id: account_id } = principal;
    const filter = query.toFilter();
    const isFull = principal.access === 'full';
    if (wantsCsv(request)) {
      const chunks = activityCsv(this.activity.all(account_id, filter), 'machine', isFull);
      return new FileAnswer((send) =>
        send({ name: 'activity.csv', type: CSV_TYPE, isCompressible: true, chunks }),
      );
    }
    const limit = Number(query.limit);
    await this.memory.forResponse(response, account_id, memoryOfRows(limit));
    const page = { account_id, filter, limit, after: query.after ?? null, isCounted: true };
    const { entries, meta } = await this.activity.page(page);
    return { results: entries.map((entry) => presentActivity(entry, isFull)), meta };
  }
}
