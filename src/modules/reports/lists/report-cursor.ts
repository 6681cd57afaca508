import { ApiError } from '../../../common/errors/api-error.js';
import type { ReportCursor } from './report-transactions.model.js';

const CURSOR = /^(after|before)-(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})-(\d{1,15})$/;

/** A cursor as a text that may stand in an address: `after-2025-06-01T18:03:11-48213`. */
export function formatCursor({ direction, position }: ReportCursor): string {
  return `${direction}-${position.sale_date.replace(' ', 'T')}-${position.arrival}`;
}

/** @throws ApiError invalid_parameters where the text is none of formatCursor's */
export function parseCursor(text: string): ReportCursor {
  const [, direction, day, time, arrival] = CURSOR.exec(text) ?? [];
  if (direction === undefined) {
    throw new ApiError('invalid_parameters', 'The cursor must be one that a page gave.');
  }
  return {
    direction: direction === 'after' ? 'after' : 'before',
    position: { sale_date: `${day ?? ''} ${time ?? ''}`, arrival: Number(arrival) },
  };
}
