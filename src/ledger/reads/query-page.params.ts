import { applyDecorators } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { ApiField } from '../../api/validation/api-field.js';
import { IsInteger, IsText } from '../../api/validation/validators.js';
import { QUERY_LIMIT } from './key-search.js';

/** Declares the parameter of a query with the number of results of a page. */
export const PageLimit = (): PropertyDecorator =>
  applyDecorators(
    ApiField('Maximum number of results per page.', QUERY_LIMIT.default),
    IsInteger(QUERY_LIMIT),
  );

/** Declares the parameter of a query with the cursor of the page before. */
export const PageAfter = (): PropertyDecorator =>
  applyDecorators(
    ApiField('`meta.next_cursor` of the page before; without it, the first page.', 'WyJhYmMiXQ'),
    IsOptional(),
    IsText(),
  );

/** The parameters of a query that select its page. Each field holds the text as sent. */
export class QueryPageParams {
  @PageLimit()
  limit = String(QUERY_LIMIT.default);

  @PageAfter()
  after?: string;
}
