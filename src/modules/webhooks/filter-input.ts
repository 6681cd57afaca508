import type { WordsInput } from '../../api/validation/validators.js';
import { REMOVED_KIND } from '../../ledger/changes/change.model.js';
import { CHANGE_REASONS } from '../../ledger/changes/reasons/change-reasons.js';
import type { StoredFilter } from './endpoint-filter.js';
import { RefusedEndpointError } from './webhook.model.js';

/** Maximum number of products that a filter names. */
export const MAX_PRODUCTS = 100;

/** A filter as a user writes it: lists of words; an empty list is no filter. */
export interface FilterInput {
  readonly kinds?: readonly string[] | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly product_ids?: readonly string[] | undefined;
}

/** Returns the words of a list, or of a text with commas or spaces between them. */
export function wordsIn(input: WordsInput): string[] {
  return [input]
    .flat()
    .flatMap((text) => String(text).split(/[\s,]+/))
    .filter((word) => word !== '');
}

/**
 * Returns the columns to store; fields that are absent are left out.
 * @param known kinds of the records in the feed
 * @throws RefusedEndpointError if a word is none of its list
 */
export function storedFilter(input: FilterInput, known: readonly string[]): Partial<StoredFilter> {
  const stored: Partial<Record<keyof StoredFilter, string | null>> = {};
  const { kinds, reasons, product_ids } = input;
  if (kinds !== undefined) stored.kinds = listOf('kinds', kinds, [...known, REMOVED_KIND]);
  if (reasons !== undefined) stored.reasons = listOf('reasons', reasons, CHANGE_REASONS);
  if (product_ids !== undefined) stored.product_ids = idsOf(product_ids);
  return stored;
}

function listOf(field: 'kinds' | 'reasons', words: readonly string[], known: readonly string[]) {
  if (words.some((word) => !known.includes(word))) {
    throw new RefusedEndpointError(`${field} must be some of ${known.join(', ')}.`, field);
  }
  return textOf(known.filter((word) => words.includes(word)));
}

function idsOf(words: readonly string[]): string | null {
  const ids = [...new Set(words.map(Number))].sort((left, right) => left - right);
  const areIds = words.every((word) => /^[1-9]\d{0,15}$/.test(word));
  if (areIds && ids.length <= MAX_PRODUCTS && ids.every(Number.isSafeInteger)) return textOf(ids);
  const says = `product_ids must be ids of products, at most ${MAX_PRODUCTS}.`;
  throw new RefusedEndpointError(says, 'product_ids');
}

function textOf(words: readonly (string | number)[]): string | null {
  return words.length === 0 ? null : words.join(',');
}
