import { ValidateIf } from 'class-validator';
import { CSV_STYLES, type CsvStyle } from '../../../../common/csv.js';
import { ApiField } from '../../../../common/validation/api-field.js';
import { IsCalendarDay, IsOneOf, IsOnOrAfter } from '../../../../common/validation/validators.js';
import type { ExportRequest } from '../../export.model.js';

type Range = Pick<ExportQuery, 'start_date' | 'end_date'>;

/** The query of the exports has both dates, as in API 3.0, or neither for all transactions. */
export class ExportQuery {
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
export class CsvExportQuery extends ExportQuery {
  @ApiField(
    '`machine` for programs: ISO date-times, values unchanged. `spreadsheet` for people: the file of the account pages, which a spreadsheet opens with dates and without formulas.',
    'machine',
  )
  @IsOneOf(CSV_STYLES)
  csv: CsvStyle = 'machine';
}

function hasDate({ start_date, end_date }: Range): boolean {
  return start_date !== undefined || end_date !== undefined;
}
