import type { ApiVersion } from '../api-versions.js';
import type { ApiError } from '../errors/api-error.js';
import { CATALOGUE, type Outcome } from '../errors/catalogue.js';
import type { PagedMeta } from '../paging/paging.js';

/** What every answer of every version tells beside its results (interface 2.1). */
type Meta = {
  readonly status: {
    readonly http_status_code: number;
    readonly code: number;
    readonly message: string;
    readonly detail: string | null;
  };
  readonly results_count: number;
  readonly api_version: ApiVersion;
} & Partial<PagedMeta>;

/** What a controller hands to the envelope: its results, and for a list the fields beside them. */
export interface Answer {
  readonly results: readonly unknown[];
  readonly meta?: PagedMeta;
}

/** The one shape of every answer of every version, as JSON (interface 2.1). */
export function successEnvelope(version: ApiVersion, { results, meta }: Answer): string {
  const whole: Meta = { ...head('success', null, results.length, version), ...meta };
  return JSON.stringify({ meta: whole, results });
}

/** An error carries one null result and counts none (interface 7). */
export function errorEnvelope(version: ApiVersion, error: ApiError): string {
  const meta: Meta = head(error.failure, error.detail, 0, version);
  return JSON.stringify({ meta, results: [null] });
}

function head(outcome: Outcome, detail: string | null, results_count: number, version: ApiVersion) {
  const { http_status_code, code, message } = CATALOGUE[outcome];
  return {
    status: { http_status_code, code, message, detail },
    results_count,
    api_version: version,
  };
}
