import type { Connection, RowDataPacket } from 'mysql2/promise';
import { until } from '../servers/running-service.js';

/**
 * Waits until the use of the newest key is noted, which is done in a transaction of its own beside the
 * request that used it first: a fault that a test sets for a commit must not meet that one.
 */
export function noted(connection: Connection): Promise<void> {
  return until('the note of a use', async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT last_used FROM api_keys ORDER BY application_id DESC LIMIT 1',
    );
    return rows[0]?.last_used !== null;
  });
}
