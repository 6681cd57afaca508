import { Controller, Get, Query, Res, VERSION_NEUTRAL } from '@nestjs/common';
import type { Response } from 'express';
import { AnswerMemory, PIECES_BYTES } from '../../platform/limits/memory/answer-memory.js';
import { LEDGER_PATH } from '../../api/versions/api-versions.js';
import { CSV_STYLES, type CsvStyle } from '../../platform/files/csv.js';
import { FileAnswer } from '../../api/envelope/rendered-answer.js';
import { ApiOperation, type Description } from '../../api/versions/api-operation.js';
import {
  isMasked,
  type Principal,
  CurrentPrincipal,
  Principals,
} from '../../api/access/principal.js';
import { type ExportFormat, type ExportRequest, FORMATS } from './formats.js';
import { ExportsService, MAX_EXPORT_MINUTES } from './exports.service.js';
import { ShowsPersonalData } from '../../api/access/personal-reads.js';
import { ValidateIf } from 'class-validator';
import { checkFields } from '../../ledger/reads/masked-filters.js';
import { countedIn, FILTER_NAMES, queryIn, TransactionFilters } from '../transactions/index.js';
import { RefusesUnknown } from '../../api/validation/request-inputs.js';
import { ApiField } from '../../api/validation/api-field.js';
import { IsCalendarDay, IsOnOrAfter, IsOneOf } from '../../api/validation/validators.js';

/**
 * The query of the exports has both dates, as in API 3.0, or neither for all transactions. With a
 * filter, it may have no unknown parameters.
 */
@RefusesUnknown(FILTER_NAMES)
class ExportQuery extends TransactionFilters {
  @ApiField(
    'First day of the range in UTC, as YYYY-MM-DD. Without both dates, all transactions are exported.',
    '2025-06-01',
  )
  @ValidateIf(hasDate)
  @IsCalendarDay()
  start_date?: string;

  @ApiField(
    'Last day of the range in UTC, as YYYY-MM-DD, inclusive. Must be on or after `start_date`.',
    '2025-06-30',
  )
  @ValidateIf(hasDate)
  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date?: string;

  get range(): ExportRequest['range'] {
    const { start_date, end_date } = this;
    return start_date === undefined || end_date === undefined ? null : { start_date, end_date };
  }
}

/** The query of the CSV export also has the style of the file. */
class CsvExportQuery extends ExportQuery {
  @ApiField(
    '`machine` for programs: ISO date-times, values unchanged. `spreadsheet` for people: the file of the account pages, which a spreadsheet opens with dates and without formulas.',
    'machine',
  )
  @IsOneOf(CSV_STYLES)
  csv: CsvStyle = 'machine';
}

function hasDate({ start_date, end_date }: ExportQuery): boolean {
  return start_date !== undefined || end_date !== undefined;
}

/** Serves the exports described in `docs/exports.md`. */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class ExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly memory: AnswerMemory,
    private readonly principals: Principals,
  ) {}

  @Get('transactions.ndjson')
  @ApiOperation(
    described(
      'exportNdjson',
      'ndjson',
      'as NDJSON',
      'Each line is a transaction as 3.0 shows it, as JSON.',
    ),
  )
  @ShowsPersonalData('exportNdjson', { days: true })
  ndjson(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
    @Query() query: ExportQuery,
  ): Promise<FileAnswer> {
    return this.send('ndjson', principal, response, query);
  }

  @Get('transactions.csv')
  @ApiOperation(
    described(
      'exportCsv',
      'csv',
      'as CSV',
      'The columns are those of the download on the account pages. The file is for programs; `csv=spreadsheet` returns the download itself, which is for people.',
    ),
  )
  @ShowsPersonalData('exportCsv', { days: true })
  csv(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
    @Query() query: CsvExportQuery,
  ): Promise<FileAnswer> {
    return this.send('csv', principal, response, query, query.csv);
  }

  @Get('transactions.parquet')
  @ApiOperation(
    described(
      'exportParquet',
      'parquet',
      'as Parquet',
      'The columns are those of the CSV: money is DECIMAL(18,2), date-times are UTC timestamps.',
    ),
  )
  @ShowsPersonalData('exportParquet', { days: true })
  parquet(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
    @Query() query: ExportQuery,
  ): Promise<FileAnswer> {
    return this.send('parquet', principal, response, query);
  }

  private async send(
    format: ExportFormat,
    principal: Principal,
    response: Response,
    query: ExportQuery,
    csvStyle?: CsvStyle,
  ): Promise<FileAnswer> {
    checkFields(principal, query.used);
    const vendor_id = principal.user_id;
    const { range } = query;
    const wanted = {
      vendor_id,
      range,
      filtered: query.areUsed ? queryIn(query, vendor_id) : null,
      counted: countedIn(query, queryIn(query, vendor_id)),
      format,
      csvStyle,
      withRefunds: true,
      isMasked: isMasked(principal),
    };
    await this.memory.forResponse(response, principal.user_id, PIECES_BYTES);
    return new FileAnswer((send) =>
      this.exports.export(wanted, (file) => {
        response.set({
          'X-Ledger-Count': String(file.count),
          'X-Ledger-Cursor': String(file.cursor),
        });
        this.principals.watch(response, principal);
        return send(file);
      }),
    );
  }
}

function described(id: string, format: ExportFormat, as: string, about: string): Description {
  return {
    id,
    summary: `Export transactions ${as}`,
    description: [
      `Returns the transactions of 3.0's list of the date range, or all, in its order, from one state of your ledger. ${about}`,
      `\`X-Ledger-Count\` is the exact number of transactions; \`X-Ledger-Cursor\` is where \`GET /ledger/v1/changes\` continues from this state. An export that cannot be finished is cut off: the connection is closed before the end of the body. That also happens after ${MAX_EXPORT_MINUTES} minutes.`,
      'Exports of one ledger run one after another.',
      'With filters, the export contains the transactions that `GET /ledger/v1/transactions` finds with the same filters, and a parameter that it does not know is an error. They are counted first; if that takes more than 30 seconds, the answer is 400.',
    ].join('\n\n'),
    fileType: FORMATS[format].type,
  };
}
