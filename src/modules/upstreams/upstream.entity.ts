import { EntitySchema } from 'typeorm';
import {
  dateTime,
  day,
  generatedId,
  key,
  longText,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../database/columns.js';
import type { Upstream, UpstreamRead } from './upstream.model.js';

const URL_LENGTH = 2_048;

export const UpstreamEntity = new EntitySchema<Upstream>({
  name: 'Upstream',
  tableName: 'upstreams',
  columns: {
    id: generatedId(),
    vendor_id: wholeNumber(),
    url: text(URL_LENGTH),
    state: text(32),
    secret: longText(),
    token: text(),
    words: text(),
    every_seconds: wholeNumber(),
    wanted: optional(text(32)),
    run: optional(text(32)),
    run_began: optional(dateTime()),
    first_day: optional(day()),
    last_day: optional(day()),
    next_day: optional(day()),
    listed: wholeNumber(),
    missing: wholeNumber(),
    last_recent: optional(dateTime()),
    last_quarter: optional(dateTime()),
    last_full: optional(dateTime()),
    seek_run: optional(dateTime()),
    last_seek: optional(dateTime()),
    payments_next: optional(dateTime()),
    payments_after: optional(text()),
    payments_seen: { ...wholeNumber(), default: 0 },
    payments_total: { ...wholeNumber(), default: 0 },
    payments_round: { ...wholeNumber(), default: 0 },
    last_payments: optional(dateTime()),
    next_try: dateTime(),
    failures: wholeNumber(),
    problem: optional(text()),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
    created: dateTime(),
  } satisfies Record<keyof Upstream, Column>,
  indices: [
    { name: 'upstreams_by_vendor', columns: ['vendor_id'], unique: true },
    { name: 'upstreams_by_next_try', columns: ['state', 'next_try'] },
  ],
});

/** Stores the reads of single records that wait. */
export const UpstreamReadEntity = new EntitySchema<UpstreamRead>({
  name: 'UpstreamRead',
  tableName: 'upstream_reads',
  columns: {
    upstream_id: key(wholeNumber()),
    kind: key(text(32)),
    record_key: key(text()),
    sale_date: dateTime(),
    failures: wholeNumber(),
    next_try: dateTime(),
  } satisfies Record<keyof UpstreamRead, Column>,
  indices: [{ name: 'upstream_reads_by_sale', columns: ['upstream_id', 'sale_date'] }],
});
