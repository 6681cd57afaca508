import type { Variant } from '../../../http-cache/answer-at-revision.js';

/**
 * Tells that a feed does not have the paykey that it was given, and answered as without one
 * (decisions: Latest feeds).
 */
export const UNKNOWN_PAYKEY: Variant = { header: 'X-Paykey', name: 'unknown' };
