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
/** Fields for the words of the upstream; an empty one means the word of this service. */
export const WORD_FIELDS = ['service', 'processor'] as const;

/** The field for the API key, which no page shows. */
export const KEY_FIELD = 'key';

/**
 * What the form says.
 * @param key what its field KEY_FIELD says
 * @throws FormProblem
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
 * Each at its field; what is no matter of a field is of the whole form.
 * @throws whatever is no problem of the form
 */
export function problemsOf(error: unknown, visit: SignedInVisit): FormProblem[] {
  if (error instanceof FormProblem) return [error];
  if (!(error instanceof UnusableUpstreamError)) throw error;
  const [named = ''] = error.message.split(' ');
  if (named !== 'names') return [new FormProblem(named, error.message)];
  // What was left empty is right.
  const entered = WORD_FIELDS.filter((field) => visit.field(field).trim() !== '');
  return entered.map((field) => new FormProblem(field, 'It must be a word such as acme.'));
}

function wordIn(visit: SignedInVisit, field: (typeof WORD_FIELDS)[number]): string {
  return visit.field(field).trim() || OWN_WORDS[field];
}

/** @throws FormProblem */
function minutesIn(visit: SignedInVisit): number {
  const text = visit.field('every').trim();
  const { least, most } = EVERY_MINUTES;
  const minutes = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (minutes >= least && minutes <= most) return minutes;
  throw new FormProblem('every', `It must be ${least} to ${most} minutes.`);
}
