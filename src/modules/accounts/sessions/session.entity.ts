import { EntitySchema } from 'typeorm';
import { key, longText, dateTime, text, wholeNumber } from '../../../database/columns.js';

export interface SessionRow {
  readonly session_hash: string;
  readonly user_id: number;
  /** Content of the session as JSON. */
  readonly data: string;
  readonly created: string;
  readonly expires: string;
  /** Id of the password that the session began with. */
  readonly password_id: string;
}

/**
 * Each row is a signed-in browser. It has only a hash of the cookie's secret, so it grants no
 * access.
 */
export const SessionEntity = new EntitySchema<SessionRow>({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    session_hash: key(text(64)),
    user_id: wholeNumber(),
    data: longText(),
    created: dateTime(),
    expires: dateTime(),
    password_id: { ...text(36), default: '' },
  },
  indices: [
    { name: 'sessions_by_user', columns: ['user_id'] },
    { name: 'sessions_by_expires', columns: ['expires'] },
  ],
});
