import { named } from '../../../ledger-format/record-type.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import type { ConvertedLine } from '../../upstreams/convert/sent-fields.model.js';
import type { UpstreamProblem } from '../../upstreams/problems/upstream-problem.model.js';

/** A value that the text of a problem quotes. It may be of a person who is erased later, so it is not kept. */
const FOUND = /, not "(?:[^"\\]|\\.)*"/g;
/** Between two problems of a record, such as `status: …; customer.email: …`. */
const NEXT_FIELD = /; (?=[a-z][\w.[\]]*: )/;
const FIELD = /^([a-z][\w.[\]]*): /;

/**
 * The fields of a sale that are stored as the upstream has them, even if `transactionWarnings` finds them
 * odd: that is a matter of the sender, and no problem of the mirror.
 */
const UNCHANGED: ReadonlySet<string> = new Set([
  'amount',
  'payouts',
  'refund',
  'refund.refund_date',
  'status',
  'transaction_id',
]);

/** The day of what only a full run reads again. */
export const UNKNOWN_DAY = '1000-01-01';

/** The record that problems are about, and its day. */
export interface ProblemPlace {
  readonly subject: string;
  /** The day of the sale if a list shows it. */
  readonly day?: string;
}

/** All that is wrong with a record that was written, or was to be written. */
export function problemsOf(
  converted: ConvertedLine,
  result: RecordResult,
  place: ProblemPlace,
): UpstreamProblem[] {
  const checked = problemsOfResult(result, place);
  // Changes of a record that is not stored do not matter.
  if (result.verdict === 'rejected') return checked;
  return [...problemsOfChanges(converted, result, place), ...checked];
}

/** Why a record was not stored, or what was changed in it by the check of its texts. */
function problemsOfResult(result: RecordResult, place: ProblemPlace): UpstreamProblem[] {
  const { type, verdict } = result;
  const name = type ?? 'record';
  const text = result.problem?.replaceAll(FOUND, '') ?? 'cannot be read';
  if (verdict === 'rejected') return [problemOf(result, `${name} not stored`, text, place)];
  // A user who is there already stays as it is, which is no problem.
  if (result.problem === null || type === 'user') return [];
  return text
    .split(NEXT_FIELD)
    .filter((each) => type !== 'transaction' || !UNCHANGED.has(FIELD.exec(each)?.[1] ?? ''))
    .map((each) => problemOf(result, name, each, place));
}

/** The changes of a record before it was checked. */
function problemsOfChanges(
  { changes }: ConvertedLine,
  result: RecordResult,
  place: ProblemPlace,
): UpstreamProblem[] {
  const what = `${result.type ?? 'record'} changed`;
  return changes.map(({ field, text }) => problemOf(result, what, `${field}: ${text}`, place));
}

function problemOf(
  { type, key }: Pick<RecordResult, 'type' | 'key'>,
  what: string,
  text: string,
  place: ProblemPlace,
): UpstreamProblem {
  const field = FIELD.exec(text)?.[1]?.replaceAll(/\[\d+\]/g, '');
  const kind = field === undefined ? what : `${what}: ${field}`;
  return { ...place, kind, text: named(text, type ?? 'record', key) };
}
