import type { Response } from 'express';

/**
 * Tells that a feed does not have the paykey that it was given, and answered as without one
 * (decisions: Latest feeds).
 */
export function tellUnknownPaykey(response: Response): void {
  response.setHeader('X-Paykey', 'unknown');
}
