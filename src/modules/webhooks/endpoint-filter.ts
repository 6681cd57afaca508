import type { ChangeFilter } from '../../ledger/changes/reasons/change-filter.js';
import { hasReasons } from '../../ledger/changes/reasons/change-reasons.js';
import type { WebhookEndpointRow } from './webhook-endpoint.entity.js';

/** The changes that an endpoint gets. Null is all; records that left the ledger always come. */
export interface EndpointFilter {
  readonly kinds: readonly string[] | null;
  readonly reasons: readonly string[] | null;
  readonly product_ids: readonly number[] | null;
}

/** The columns of an endpoint that store its filter, as words with commas between them. */
export type StoredFilter = Pick<WebhookEndpointRow, 'kinds' | 'reasons' | 'product_ids'>;

export const NO_FILTER: StoredFilter = { kinds: null, reasons: null, product_ids: null };

export function filterOf({ kinds, reasons, product_ids }: StoredFilter): EndpointFilter {
  return {
    kinds: kinds?.split(',') ?? null,
    reasons: reasons?.split(',') ?? null,
    product_ids: product_ids?.split(',').map(Number) ?? null,
  };
}

/**
 * Returns what an endpoint reads of the feed.
 * @param known kinds of the records in the feed
 */
export function readBy(
  endpoint: StoredFilter,
  known: readonly string[],
): { readonly kinds: readonly string[]; readonly filter?: ChangeFilter } {
  const { kinds: wanted, reasons, product_ids } = filterOf(endpoint);
  const kinds = known
    .filter((kind) => wanted?.includes(kind) ?? true)
    .filter((kind) => reasons === null || hasReasons(kind, reasons));
  const isWhole = reasons === null && product_ids === null;
  return isWhole ? { kinds } : { kinds, filter: { reasons, product_ids } };
}

/** Returns text for users, such as `kinds transaction; products 10, 11`, or null without a filter. */
export function filterWords(endpoint: EndpointFilter): string | null {
  const { kinds, reasons, product_ids } = endpoint;
  const parts = [
    ...(kinds === null ? [] : [`kinds ${kinds.join(', ')}`]),
    ...(reasons === null ? [] : [`reasons ${reasons.join(', ')}`]),
    ...(product_ids === null ? [] : [`products ${product_ids.join(', ')}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}
