import { formatDateTime } from '../../../common/time.js';
import type { FeedItem } from './changes-feed.model.js';

/** Returns a change as JSON, with its object in a field named after its kind. */
export function feedItemJson({ sequence, kind, changed_at, json }: FeedItem): string {
  const head = JSON.stringify({ sequence, kind, changed_at: formatDateTime(changed_at) });
  return `${head.slice(0, -1)},"${kind}":${json}}`;
}
