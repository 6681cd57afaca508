import type { ApiVersion } from '../versions/api-versions.js';
import type { ApiError } from '../errors/api-error.js';
import { CATALOGUE } from '../errors/catalogue.js';
import type { PagedMeta } from '../validation/paging.js';

/**
 * Holds results that are already JSON, in bytes, as they appear in `results`: with commas between
 * them.
 */
export abstract class JsonResults {
  abstract readonly count: number;
  abstract readonly byteLength: number;

  /**
   * Writes the results.
   * @returns the position after the last byte
   */
  abstract writeTo(target: Buffer, position: number): number;
}

/** Reads results that are together too large for memory, while the client receives them. */
export abstract class JsonPieces {
  abstract readonly count: number;

  /**
   * Reads the results in pieces, each the JSON of some results with commas between them. It can be
   * called only once.
   */
  abstract pieces(): AsyncGenerator<Buffer>;
}

const END = ']}';

/**
 * A response with a result for each record adds this to `meta`: the number of records with each
 * result.
 */
export interface SummaryMeta {
  readonly summary: Readonly<Record<string, number>>;
}

/** A list that is searched page by page adds this to `meta`. */
export interface SearchMeta {
  /** Number of items on all pages, or null if it would cost too much to count them. */
  readonly total_count: number | null;
  /** Day up to which an incomplete page was searched, or null for a complete page. */
  readonly searched_to: string | null;
  /** Start of the next page, or null for the last one. */
  readonly next_cursor: string | null;
}

/** A query adds this to `meta`. */
export interface QueryMeta extends SearchMeta {
  /**
   * Figure of all transactions of the query if it was asked for, or null if it would cost too much.
   */
  readonly figure_total?: string | null;
  /** State of the ledger that the page shows, as a cursor of the feed of changes. */
  readonly cursor: string;
}

/**
 * A feed adds this to `meta`: the start of the next call, and whether more items are available now.
 */
export interface FeedMeta {
  readonly cursor: string;
  readonly has_more: boolean;
}

type ShownFigures = Readonly<Record<string, string | number>>;
type ShownRange = Readonly<Record<'start_date' | 'end_date', string>>;

/** Figures add this to `meta`. The controller of figures describes it. */
export interface FiguresMeta {
  readonly cursor: string | null;
  readonly range: ShownRange;
  readonly compared_range: ShownRange | null;
  readonly totals: ShownFigures;
  readonly compared_totals: ShownFigures | null;
  readonly groups_left_out: ShownFigures | null;
}

/** An answer from one state of a ledger adds its cursor to `meta`. */
export interface StateMeta {
  readonly cursor: string;
  readonly [name: string]: unknown;
}

/**
 * A controller returns its results in memory and, for a paged list, the fields that it adds to
 * `meta`.
 */
export interface ListAnswer {
  readonly results: readonly unknown[];
  readonly meta?:
    | PagedMeta
    | SummaryMeta
    | FeedMeta
    | SearchMeta
    | QueryMeta
    | FiguresMeta
    | StateMeta;
}

/** An answer whose results are in memory, or are JSON already. */
export interface Answer extends Omit<ListAnswer, 'results'> {
  readonly results: ListAnswer['results'] | JsonResults | JsonPieces;
}

/** How an answer is sent: the version of the API, and the HTTP status. */
export interface SentAs {
  readonly version: ApiVersion;
  readonly status: number;
}

/** Restricts an answer to results that are in memory. */
type WholeAnswer = Omit<Answer, 'results'> & {
  readonly results: Exclude<Answer['results'], JsonPieces>;
};

/**
 * Returns the envelope of a successful response as JSON.
 * @param allocate returns the buffer to write to, if the results are bytes
 */
export function successEnvelope(
  sent: SentAs,
  answer: WholeAnswer,
  allocate: (length: number) => Buffer = (length) => Buffer.allocUnsafe(length),
): string | Buffer {
  const { results } = answer;
  if (!(results instanceof JsonResults)) {
    return JSON.stringify({ meta: metaOf(sent, answer), results });
  }
  const begin = beginOf(sent, answer);
  // `meta` has ASCII only.
  const body = allocate(begin.length + results.byteLength + END.length);
  const end = results.writeTo(body, body.write(begin, 'latin1'));
  body.write(END, end, 'latin1');
  return body;
}

/** Writes the envelope of results that are not in memory, part by part. */
export async function* envelopeInPieces(
  sent: SentAs,
  answer: Answer,
  results: JsonPieces,
): AsyncGenerator<string | Buffer> {
  yield beginOf(sent, answer);
  let separator = '';
  for await (const piece of results.pieces()) {
    if (separator !== '') yield separator;
    yield piece;
    separator = ',';
  }
  yield END;
}

/** Returns the number of results. */
export function countOf({ results }: Pick<Answer, 'results'>): number {
  return 'count' in results ? results.count : results.length;
}

function metaOf({ version, status }: SentAs, answer: Answer) {
  const { code, message } = CATALOGUE.success;
  return {
    ...head({ http_status_code: status, code, message, detail: null }, countOf(answer), version),
    ...answer.meta,
  };
}

function beginOf(sent: SentAs, answer: Answer): string {
  return `{"meta":${JSON.stringify(metaOf(sent, answer))},"results":[`;
}

/** Returns the envelope of an error, which has one null result and a results_count of 0. */
export function errorEnvelope(version: ApiVersion, error: ApiError): string {
  const meta = head({ ...CATALOGUE[error.failure], detail: error.detail }, 0, version);
  return JSON.stringify({ meta, results: [null] });
}

interface Status {
  readonly http_status_code: number;
  readonly code: number;
  readonly message: string;
  readonly detail: string | null;
}

/** Returns what every response has as `meta`. */
function head(status: Status, results_count: number, version: ApiVersion) {
  return { status, results_count, api_version: version };
}
