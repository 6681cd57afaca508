import type { ApiVersion } from '../api-versions.js';
import type { ApiError } from '../errors/api-error.js';
import { CATALOGUE, type Outcome } from '../errors/catalogue.js';
import type { PagedMeta } from '../paging/paging.js';

/** The one shape of every answer of every version (interface 2.1). */
export interface Envelope {
  readonly meta: {
    readonly status: {
      readonly http_status_code: number;
      readonly code: number;
      readonly message: string;
      readonly detail: string | null;
    };
    readonly results_count: number;
    readonly api_version: ApiVersion;
  } & Partial<PagedMeta>;
  readonly results: readonly unknown[];
}

/** What a controller hands to the envelope: its results, and for a list the fields beside them. */
export interface Answer {
  readonly results: readonly unknown[];
  readonly meta?: PagedMeta;
}

export function successEnvelope(version: ApiVersion, answer: Answer): Envelope {
  return {
    meta: { ...head('success', null, answer.results.length, version), ...answer.meta },
    results: answer.results,
  };
}

/** An error carries one null result and counts none (interface 7). */
export function errorEnvelope(version: ApiVersion, error: ApiError): Envelope {
  return { meta: head(error.failure, error.detail, 0, version), results: [null] };
}

function head(outcome: Outcome, detail: string | null, results_count: number, version: ApiVersion) {
  const { http_status_code, code, message } = CATALOGUE[outcome];
  return {
    status: { http_status_code, code, message, detail },
    results_count,
    api_version: version,
  };
}
