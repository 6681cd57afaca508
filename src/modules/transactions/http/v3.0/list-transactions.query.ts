import { PAGE_INDEX, PAGE_SIZE } from '../../../../common/paging/paging.js';
import {
  IsCalendarDay,
  IsOnOrAfter,
  IsWholeNumber,
} from '../../../../common/validation/validators.js';
import type { ListCriteria } from '../../transaction.model.js';

/** Query of GET /v3.0/transactions (interface 4.1, 8). Each field is the text as it was sent. */
export class ListTransactionsQuery {
  @IsCalendarDay()
  start_date!: string;

  @IsCalendarDay()
  @IsOnOrAfter('start_date')
  end_date!: string;

  @IsWholeNumber(PAGE_SIZE)
  page_size = String(PAGE_SIZE.fallback);

  @IsWholeNumber(PAGE_INDEX)
  page_index = String(PAGE_INDEX.fallback);

  toCriteria(vendor_id: number): ListCriteria {
    return {
      vendor_id,
      start_date: this.start_date,
      end_date: this.end_date,
      page: { page_size: Number(this.page_size), page_index: Number(this.page_index) },
    };
  }
}
