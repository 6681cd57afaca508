import {
  dateTime,
  day,
  generatedId,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

const URL_LENGTH = 2_048;
const PROBLEM_KIND_LENGTH = 128;

export const UpstreamEntity = entityOf({
  name: 'Upstream',
  tableName: 'upstreams',
  columns: {
    id: generatedId(),
    vendor_id: wholeNumber(),
    url: text(URL_LENGTH),
    state: text(32),
    /** The API key, encrypted. */
    secret: longText(),
    /** The token in the address for notifications, encrypted. */
    token: text(),
    /** The words of the upstream, as JSON of `FieldWords`. */
    words: text(),
    every_seconds: wholeNumber(),
    /** The requested run, until it begins. */
    wanted: optional(text(32)),
    /** The current run; null between runs. */
    run: optional(text(32)),
    run_began: optional(dateTime()),
    /**
     * First day of the run. The days are null while the date of the upstream's first sale is
     * unknown.
     */
    first_day: optional(day()),
    last_day: optional(day()),
    /** The last day that is still to be read; days are read newest first. */
    next_day: optional(day()),
    /** Number of transactions that the run has read. */
    listed: wholeNumber(),
    /** Number of stored transactions that the upstream no longer has. */
    missing: wholeNumber(),
    /**
     * Start of the last finished run of each kind. A longer run counts as the shorter ones, too.
     */
    last_recent: optional(dateTime()),
    last_quarter: optional(dateTime()),
    last_full: optional(dateTime()),
    /**
     * Start of the next run for notified sales that the upstream did not know; null if there is
     * none.
     */
    seek_run: optional(dateTime()),
    /** Start of the last such run. */
    last_seek: optional(dateTime()),
    /** Time of the next part of a round of subscriptions; null if it is due at once. */
    payments_next: optional(dateTime()),
    /** The last key of the current round of subscriptions; null between rounds. */
    payments_after: optional(text()),
    /**
     * Number of subscriptions that the round has reached. `payments_total` is the number of all.
     */
    payments_seen: { ...wholeNumber(), default: 0 },
    payments_total: { ...wholeNumber(), default: 0 },
    /** Number of rounds that have ended. */
    payments_round: { ...wholeNumber(), default: 0 },
    /** Start of the last round. */
    last_payments: optional(dateTime()),
    /** The upstream is not read before this time unless a read is requested. */
    next_try: dateTime(),
    /** Number of consecutive failures. */
    failures: wholeNumber(),
    /** Reason why the upstream cannot be read now, for users. */
    problem: optional(text()),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
    created: dateTime(),
  },
  indices: [
    { name: 'upstreams_by_vendor', columns: ['vendor_id'], unique: true },
    { name: 'upstreams_by_next_try', columns: ['state', 'next_try'] },
  ],
});
export type UpstreamRow = EntityRow<typeof UpstreamEntity>;

/** Stores the reads of single records that wait. */
export const UpstreamReadEntity = entityOf({
  name: 'UpstreamRead',
  tableName: 'upstream_reads',
  columns: {
    upstream_id: key(wholeNumber()),
    kind: key(text(32)),
    record_key: key(text()),
    /** Date of the sale; reads of the newest sales come first. */
    sale_date: dateTime(),
    failures: wholeNumber(),
    next_try: dateTime(),
  },
  indices: [{ name: 'upstream_reads_by_sale', columns: ['upstream_id', 'sale_date'] }],
});
export type UpstreamReadRow = EntityRow<typeof UpstreamReadEntity>;

export const UpstreamProblemEntity = entityOf({
  name: 'UpstreamProblem',
  tableName: 'upstream_problems',
  columns: {
    upstream_id: key(wholeNumber()),
    subject: key(text()),
    kind: key(text(PROBLEM_KIND_LENGTH)),
    text: optional(text()),
    day: optional(day()),
    /** Time at which it was found last, in UTC. */
    seen: dateTime(),
  },
});
export type StoredProblem = EntityRow<typeof UpstreamProblemEntity>;
