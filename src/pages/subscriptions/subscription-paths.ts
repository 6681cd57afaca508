import type { RecurringList } from '../../modules/recurring/list/recurring-list.model.js';

export const SUBSCRIPTIONS_PATH = '/account/subscriptions';

export function subscriptionPath(pre_key: string): string {
  return `${SUBSCRIPTIONS_PATH}/${encodeURIComponent(pre_key)}`;
}

export function listPath(list: RecurringList, cursor?: string): string {
  const query = new URLSearchParams({ list, ...(cursor === undefined ? {} : { cursor }) });
  return `${SUBSCRIPTIONS_PATH}?${query.toString()}`;
}
