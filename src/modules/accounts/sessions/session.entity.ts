import { EntitySchema } from 'typeorm';
import { key, longText, dateTime, text, wholeNumber } from '../../../database/columns.js';

export interface SessionRow {
  readonly session_hash: string;
  readonly user_id: number;
  /** What the session holds, as JSON. */
  readonly data: string;
  readonly created: string;
  readonly expires: string;
  /** Of the password that it began with. */
  readonly password_id: string;
}

/** A signed-in browser. The table alone lets nobody in: it holds a hash of what the cookie names. */
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
