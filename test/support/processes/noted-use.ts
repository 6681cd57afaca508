import type { Connection, RowDataPacket } from 'mysql2/promise';
import { until } from '../servers/running-service.js';

/**
 * Waits until the use of the newest key is recorded. The service records it in a separate
 * transaction after the first request with the key. A fault that a test sets for a commit must not
 * hit that transaction.
 */
export function noted(connection: Connection): Promise<void> {
  return until('the note of a use', async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT last_used FROM api_keys ORDER BY application_id DESC LIMIT 1',
    );
    return rows[0]?.last_used !== null;
  });
}
