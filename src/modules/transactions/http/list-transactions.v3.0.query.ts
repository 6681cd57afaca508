import { PAGE_INDEX, PAGE_SIZE } from '../../../api/validation/paging.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { IsCalendarDay, IsOnOrAfter, IsInteger } from '../../../api/validation/validators.js';
import type { ListCriteria } from '../../../ledger/reads/transaction.model.js';

/**
 * Validates the query of `GET /v3.0/transactions` (docs/api.md#the-list-of-30). Each field holds
 * the text as sent.
 */
export class ListTransactionsQuery {
  @ApiField('First day of the range in UTC, as YYYY-MM-DD.', '2025-06-01')
  @IsCalendarDay()
  start_date!: string;

  @ApiField(
    'Last day of the range in UTC, as YYYY-MM-DD, inclusive. Must be on or after `start_date`.',
    '2025-06-30',
  )
  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date!: string;

  @ApiField('Maximum number of transactions per page.', PAGE_SIZE.default)
  @IsInteger(PAGE_SIZE)
  page_size = String(PAGE_SIZE.default);

  @ApiField('Zero-based page index.', PAGE_INDEX.default)
  @IsInteger(PAGE_INDEX)
  page_index = String(PAGE_INDEX.default);

  toCriteria(vendor_id: number, isMasked: boolean): ListCriteria {
    return {
      vendor_id,
      isMasked,
      start_date: this.start_date,
      end_date: this.end_date,
      page: { page_size: Number(this.page_size), page_index: Number(this.page_index) },
    };
  }
}
