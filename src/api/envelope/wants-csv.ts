import type { Request } from 'express';

/** Returns true if a request prefers CSV to JSON. */
export function wantsCsv(request: Pick<Request, 'accepts'>): boolean {
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}
