import { EntitySchema } from 'typeorm';
import {
  dateTime,
  day,
  key,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../../database/columns.js';

/** Describes a row of `upstream_problems`. */
export interface StoredProblem {
  readonly upstream_id: number;
  readonly subject: string;
  readonly kind: string;
  readonly text: string | null;
  readonly day: string | null;
  /** Time at which it was found last, in UTC. */
  readonly seen: string;
}

const KIND_LENGTH = 128;

export const UpstreamProblemEntity = new EntitySchema<StoredProblem>({
  name: 'UpstreamProblem',
  tableName: 'upstream_problems',
  columns: {
    upstream_id: key(wholeNumber()),
    subject: key(text()),
    kind: key(text(KIND_LENGTH)),
    text: optional(text()),
    day: optional(day()),
    seen: dateTime(),
  } satisfies Record<keyof StoredProblem, Column>,
});
