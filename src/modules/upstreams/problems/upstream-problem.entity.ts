import { dateTime, day, key, optional, text, wholeNumber } from '../../../database/columns.js';
import { entityOf, type EntityRow } from '../../../database/entities/entity-of.js';

const KIND_LENGTH = 128;

export const UpstreamProblemEntity = entityOf({
  name: 'UpstreamProblem',
  tableName: 'upstream_problems',
  columns: {
    upstream_id: key(wholeNumber()),
    subject: key(text()),
    kind: key(text(KIND_LENGTH)),
    text: optional(text()),
    day: optional(day()),
    /** Time at which it was found last, in UTC. */
    seen: dateTime(),
  },
});
export type StoredProblem = EntityRow<typeof UpstreamProblemEntity>;
