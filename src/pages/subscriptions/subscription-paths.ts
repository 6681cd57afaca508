import type { RecurringList } from '../../modules/recurring/list/recurring-list.model.js';
import { isDotSegment } from '../http/dot-segment.js';
import type { Visit } from '../session/visit.js';

export const SUBSCRIPTIONS_PATH = '/account/subscriptions';

/** Returns the path of a subscription's page. The keys `.` and `..` are in the query. */
export function subscriptionPath(pre_key: string): string {
  return partPath(pre_key, '', {});
}

export function cancelPath(pre_key: string): string {
  return partPath(pre_key, '/cancel', {});
}

export function canceledPath(pre_key: string): string {
  return partPath(pre_key, '', { done: 'canceled' });
}

/** Returns the subscription's key in the address of a page. */
export function preKeyIn(visit: Visit): string {
  const key = visit.query('key');
  return isDotSegment(key) ? key : visit.textInPath('preKey');
}

function partPath(
  pre_key: string,
  part: '' | '/cancel',
  more: Readonly<Record<string, string>>,
): string {
  const isDot = isDotSegment(pre_key);
  const query = new URLSearchParams({ ...(isDot ? { key: pre_key } : {}), ...more }).toString();
  const path = `${SUBSCRIPTIONS_PATH}/${isDot ? 'key' : encodeURIComponent(pre_key)}${part}`;
  return query === '' ? path : `${path}?${query}`;
}

export function listPath(list: RecurringList, cursor?: string): string {
  const query = new URLSearchParams({ list, ...(cursor === undefined ? {} : { cursor }) });
  return `${SUBSCRIPTIONS_PATH}?${query.toString()}`;
}
