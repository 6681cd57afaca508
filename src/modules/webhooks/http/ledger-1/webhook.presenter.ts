import { formatDateTime } from '../../../../common/time.js';
import type { Called } from '../../delivery/deliveries.service.js';
import type { FailingDelivery, ShownEndpoint } from '../../webhook.model.js';

/** @param failing the delivery that its receiver rejects */
export function presentEndpoint(endpoint: ShownEndpoint, failing: FailingDelivery | null) {
  const { id, url, state, position, failures, problem, next_try, created, last_taken } = endpoint;
  return {
    id,
    url,
    state,
    max_bytes: endpoint.max_bytes,
    cursor: String(position),
    failures,
    problem,
    failing,
    next_try: state === 'active' ? formatDateTime(next_try) : null,
    created: formatDateTime(created),
    last_taken: last_taken === null ? null : formatDateTime(last_taken),
  };
}

export function presentTest({ sent, duration_ms, status, problem, answer }: Called) {
  return { sent: formatDateTime(sent), duration_ms, status, problem, answer };
}
