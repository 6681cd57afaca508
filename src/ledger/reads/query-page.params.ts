import { IsOptional } from 'class-validator';
import { ApiField } from '../../api/validation/api-field.js';
import { IsInteger, IsText } from '../../api/validation/validators.js';
import { QUERY_LIMIT } from './key-search.js';

/** The parameters of a query that select its page. Each field holds the text as sent. */
export class QueryPageParams {
  @ApiField('Maximum number of results per page.', QUERY_LIMIT.default)
  @IsInteger(QUERY_LIMIT)
  limit = String(QUERY_LIMIT.default);

  @ApiField('`meta.next_cursor` of the page before; without it, the first page.', 'WyJhYmMiXQ')
  @IsOptional()
  @IsText()
  after?: string;
}
