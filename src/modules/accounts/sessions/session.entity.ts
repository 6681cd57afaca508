import {
  key,
  longText,
  dateTime,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/**
 * Each row is a signed-in browser. It has only a hash of the cookie's secret, so it grants no
 * access.
 */
export const SessionEntity = entityOf({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    session_hash: key(text(64)),
    user_id: wholeNumber(),
    /** Content of the session as JSON. */
    data: longText(),
    created: dateTime(),
    expires: dateTime(),
    /** Id of the password that the session began with. */
    password_id: { ...text(36), default: '' },
  },
  indices: [
    { name: 'sessions_by_user', columns: ['user_id'] },
    { name: 'sessions_by_expires', columns: ['expires'] },
  ],
});
export type SessionRow = EntityRow<typeof SessionEntity>;
