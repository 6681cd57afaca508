import type { TestLedger } from '../builders/test-ledger.js';

const MINUTE_MS = 60_000;

/**
 * Changes the age of a user's sessions, as if the password had been entered this many minutes ago.
 * Null simulates sessions from before an upgrade.
 */
export async function ageSessionsOf(
  user_id: number,
  minutes: number | null,
  ledger: Pick<TestLedger, 'rows' | 'run'>,
): Promise<void> {
  const moment = new Date(Date.now() - (minutes ?? 0) * MINUTE_MS);
  const password_given = moment.toISOString().slice(0, 19).replace('T', ' ');
  const rows = await ledger.rows(
    `SELECT session_hash, data FROM sessions WHERE user_id = ${user_id}`,
  );
  for (const { session_hash, data } of rows) {
    const kept = JSON.parse(String(data)) as object;
    const given = minutes === null ? undefined : password_given;
    const changed = JSON.stringify({ ...kept, password_given: given });
    await ledger.run(
      `UPDATE sessions SET data = '${changed}' WHERE session_hash = '${String(session_hash)}'`,
    );
  }
}
