import type { NewUpstream } from '../../modules/upstreams/registry/upstream-candidates.service.js';
import {
  EVERY_SECONDS,
  OWN_WORDS,
  UnusableUpstreamError,
} from '../../modules/upstreams/upstream.model.js';
import type { SignedInVisit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';

const SECONDS_A_MINUTE = 60;
export const EVERY_MINUTES = {
  default: EVERY_SECONDS.default / SECONDS_A_MINUTE,
  least: EVERY_SECONDS.least / SECONDS_A_MINUTE,
  most: EVERY_SECONDS.most / SECONDS_A_MINUTE,
};
/** Fields for the names that the upstream uses; an empty one means the name of this service. */
export const WORD_FIELDS = ['service', 'processor'] as const;

/** Field for the API key, which no page shows. */
export const KEY_FIELD = 'key';

/**
 * Reads the form.
 * @param key value of the field KEY_FIELD
 * @throws FormProblem if a field is not valid
 */
export function newUpstreamIn(visit: SignedInVisit, key: string): NewUpstream {
  return {
    url: visit.field('url').trim(),
    key: key.trim(),
    words: { service: wordIn(visit, 'service'), processor: wordIn(visit, 'processor') },
    every_seconds: minutesIn(visit) * SECONDS_A_MINUTE,
  };
}

/**
 * Returns the problems of the form, each at its field. A problem without a field belongs to the
 * whole form.
 * @throws the error if it is not a problem of the form
 */
export function problemsOf(error: unknown, visit: SignedInVisit): FormProblem[] {
  if (error instanceof FormProblem) return [error];
  if (!(error instanceof UnusableUpstreamError)) throw error;
  const [named = ''] = error.message.split(' ');
  if (named !== 'names') return [new FormProblem(named, error.message)];
  // Fields that were left empty are valid.
  const entered = WORD_FIELDS.filter((field) => visit.field(field).trim() !== '');
  return entered.map((field) => new FormProblem(field, 'It must be a word such as acme.'));
}

function wordIn(visit: SignedInVisit, field: (typeof WORD_FIELDS)[number]): string {
  return visit.field(field).trim() || OWN_WORDS[field];
}

/** @throws FormProblem if the number is out of range */
function minutesIn(visit: SignedInVisit): number {
  const text = visit.field('every').trim();
  const { least, most } = EVERY_MINUTES;
  const minutes = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (minutes >= least && minutes <= most) return minutes;
  throw new FormProblem('every', `It must be ${least} to ${most} minutes.`);
}
