import { Injectable } from '@nestjs/common';
import type { Session } from '../../../platform/database/database.js';
import { UpstreamRecordsService, type RecordResult } from '../../records-in/index.js';
import type { ConvertedLine } from './sent-fields.model.js';
import {
  subjectOfRead,
  type ProblemChanges,
  type Upstream,
  type UpstreamProblem,
  type UpstreamRead,
} from '../upstreams/upstream.model.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';
import { named } from '../../../ledger/records/record-type.js';

/**
 * Matches a value that the text of a problem quotes. The value may belong to a person who is erased
 * later, so it is not kept.
 */
const FOUND = /, not "(?:[^"\\]|\\.)*"/g;
/** Matches the separator of two problems of a record, such as `status: …; customer.email: …`. */
const NEXT_FIELD = /; (?=[a-z][\w.[\]]*: )/;
const FIELD = /^([a-z][\w.[\]]*): /;

/**
 * These fields of a sale are stored unchanged even if `transactionWarnings` reports them. Such a
 * warning concerns the sender and is no problem of the mirror.
 */
const UNCHANGED: ReadonlySet<string> = new Set([
  'amount',
  'payouts',
  'refund',
  'refund.refund_date',
  'status',
  'transaction_id',
]);

/** Problems that only a full run checks again have this day. */
export const UNKNOWN_DAY = '1000-01-01';

/** The record that problems are about, and the day of the sale if a list shows it. */
type ProblemPlace = Pick<UpstreamProblem, 'subject' | 'day'>;

/**
 * Returns all problems of records that were written or rejected, and their subjects.
 * @param results the result of each record
 * @param places the place of each record
 */
export function problemsOf(
  converted: readonly ConvertedLine[],
  results: readonly RecordResult[],
  places: readonly ProblemPlace[],
): ProblemChanges {
  const found = converted.flatMap((line, index) => {
    const [result, place] = [results[index], places[index]];
    if (result === undefined || place === undefined) return [];
    const checked = problemsOfResult(result, place);
    // Changes of a record that is not stored do not matter.
    if (result.verdict === 'rejected') return checked;
    return [...problemsOfChanges(line, result, place), ...checked];
  });
  return { checked: places.map(({ subject }) => subject), found };
}

/**
 * Returns the reason why a record was rejected, or the changes that the check of its texts made.
 */
function problemsOfResult(result: RecordResult, place: ProblemPlace): UpstreamProblem[] {
  const { type, verdict } = result;
  const name = type ?? 'record';
  const text = result.problem?.replaceAll(FOUND, '') ?? 'cannot be read';
  if (verdict === 'rejected') return [problemOf(result, `${name} not stored`, text, place)];
  // An existing user stays as it is, which is no problem.
  if (result.problem === null || type === 'user') return [];
  return text
    .split(NEXT_FIELD)
    .filter((each) => type !== 'transaction' || !UNCHANGED.has(FIELD.exec(each)?.[1] ?? ''))
    .map((each) => problemOf(result, name, each, place));
}

/** Returns the changes that the conversion made to a record before it was checked. */
function problemsOfChanges({ changes }: ConvertedLine, result: RecordResult, place: ProblemPlace) {
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

/** Writes records that were read from an upstream. */
@Injectable()
export class MirroredRecordsService {
  constructor(private readonly incoming: UpstreamRecordsService) {}

  apply(session: Session, { id, vendor_id }: Upstream, converted: readonly ConvertedLine[]) {
    const lines = converted.map(({ line }) => line);
    return this.incoming.apply(session, { vendor_id, source: `upstream ${id}` }, lines);
  }

  /**
   * Writes records that need no other record. A fault of a record becomes a problem of the read
   * that fetched it, or of the record.
   * @param done the reads that fetched them, in the same order
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async store(
    turn: MirrorTurn,
    converted: readonly ConvertedLine[],
    done: readonly UpstreamRead[] = [],
  ): Promise<void> {
    await turn.write(async (session, upstream) => {
      const results = await this.apply(session, upstream, converted);
      const places = results.map(({ type, key, line }) => {
        const read = done[line - 1];
        const name = `${type ?? 'record'} ${key ?? line}`;
        return { subject: read === undefined ? name : subjectOfRead(read) };
      });
      return { done, problems: problemsOf(converted, results, places) };
    });
  }
}
