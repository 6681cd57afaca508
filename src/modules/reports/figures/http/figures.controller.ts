import { Controller, Get, Query, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, type Principal } from '../../../../api/access/principal.js';
import { TaggedByRevision } from '../../../../api/cache/conditional-get.interceptor.js';
import type { AnswerAtRevision } from '../../../../api/cache/revision-source.js';
import type { Answer } from '../../../../api/envelope/envelope.js';
import { ApiError } from '../../../../api/errors/api-error.js';
import { FileAnswer } from '../../../../api/envelope/rendered-answer.js';
import { NoQuery } from '../../../../api/validation/request-inputs.js';
import { ApiOperation } from '../../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../../api/versions/api-versions.js';
import { checkFields } from '../../../../ledger/reads/masked-filters.js';
import { CSV_TYPE, csvFile } from '../../../../platform/files/csv.js';
import { AnswerMemory } from '../../../../platform/limits/memory/answer-memory.js';
import { todayInUtc } from '../../../../platform/values/time.js';
import { FigureBounds } from '../figure-reads.service.js';
import { hasClicks } from '../figure-answers.service.js';
import {
  numberOfItems,
  stateNumber,
  type FigureAnswer,
  type FigureRequest,
} from '../figure.model.js';
import { FiguresService } from '../figures.service.js';
import { isInItems } from '../measures.js';
import { figuresCatalogue } from './figures-catalogue.js';
import { figureColumns, figureRows, presentFigures } from './figures.presenter.js';
import { FiguresQuery } from './figures.query.js';
import { wantsCsv } from '../../../../api/envelope/wants-csv.js';

/** Approximate memory in bytes of an item with its JSON, without its measures. */
const ITEM_BYTES = 512;
const MEASURE_BYTES = 64;

const DESCRIPTION = [
  'Returns the figures of the account pages, exact, from one state of your ledger: one item for each group and interval, highest gross first. `meta.totals` has the figures of the whole range.',
  'Days are UTC. Money is decimal text, rates are text with 4 decimals. `GET /ledger/v1/figures/catalogue` defines the measures and names what each combination costs.',
  'With `compare`, today and later days are left out of both ranges, because today is not over.',
  'With `Accept: text/csv`, the items are returned as CSV.',
].join('\n\n');

/** Serves figures. See docs/figures.md. */
@Controller({ path: `${LEDGER_PATH}/figures`, version: VERSION_NEUTRAL })
export class FiguresController {
  constructor(
    private readonly service: FiguresService,
    private readonly memory: AnswerMemory,
    private readonly bounds: FigureBounds,
  ) {}

  @Get()
  @TaggedByRevision()
  @ApiOperation({ id: 'getFigures', summary: 'Get figures', description: DESCRIPTION })
  async figures(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query() query: FiguresQuery,
  ): Promise<Answer | AnswerAtRevision | FileAnswer> {
    checkFields(principal, query.fields);
    const asked = query.toRequest(principal.user_id, todayInUtc());
    const isCsv = wantsCsv(request);
    if (isCsv && !asked.measures.some(isInItems)) {
      const problem = 'CSV has no totals, so measures must have others than unpaid_commissions.';
      throw new ApiError('invalid_parameters', problem);
    }
    const answer = await this.service.figures(asked);
    const bytes = numberOfItems(answer) * (ITEM_BYTES + MEASURE_BYTES * asked.measures.length);
    this.memory.hold(response, principal.user_id, bytes);
    if (isCsv) return fileOf(asked, answer);
    const shown = presentFigures(asked, answer);
    const { state } = answer;
    // Clicks are not part of the ledger's revision.
    return state === null || hasClicks(asked) ? shown : { ...shown, revision: stateNumber(state) };
  }

  @Get('catalogue')
  @ApiOperation({
    id: 'getFiguresCatalogue',
    summary: 'Get the catalogue of figures',
    description:
      'Returns the measures, groups and intervals of figures with definitions and units, and what each combination of group and filter costs.',
  })
  catalogue(@Query() _query: NoQuery): Answer {
    return { results: [figuresCatalogue(this.bounds)] };
  }
}

function fileOf(asked: FigureRequest, answer: FigureAnswer): FileAnswer {
  const { range } = answer;
  return new FileAnswer((send) =>
    send({
      name: `figures-${range.start_date}-to-${range.end_date}.csv`,
      type: CSV_TYPE,
      isCompressible: true,
      chunks: csvFile(figureColumns(asked), 'machine', figureRows(answer)),
    }),
  );
}
