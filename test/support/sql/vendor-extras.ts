import type { TestLedger } from '../builders/test-ledger.js';

const NOW = "'2025-06-01 00:00:00'";
const LATER = "'2999-01-01 00:00:00'";
const WORDS = `'{"service":"service","processor":"processor"}'`;

/**
 * Adds everything that a vendor may have besides a ledger, in the states in which requests leave
 * it: a failed upstream, the response of a webhook receiver, a waiting cancellation, a logged read
 * of personal data, and the position of a listener.
 * @param endpoint_id id of a webhook endpoint of the vendor
 * @param pre_key key of a subscription of the vendor
 */
export async function addVendorExtras(
  ledger: TestLedger,
  vendor_id: number,
  endpoint_id: number,
  pre_key: string,
): Promise<void> {
  // The date is recent because logged reads are deleted after 90 days.
  const today = new Date().toISOString().slice(0, 10);
  await ledger.run(`INSERT INTO webhook_deliveries
    (endpoint_id, number, webhook_id, changes, sent, duration_ms, status, answer)
    VALUES (${endpoint_id}, 1, 'id', 1, ${NOW}, 1, 200, 'answer to ${vendor_id}')`);
  await ledger.run(`INSERT INTO upstreams
    (id, vendor_id, url, state, secret, token, words, every_seconds, listed, missing, next_try, failures,
     problem, created)
    VALUES (${vendor_id}, ${vendor_id}, 'https://upstream.example/', 'paused', '', '', ${WORDS}, 300, 0, 0,
     ${NOW}, 0, 'problem of ${vendor_id}', ${NOW})`);
  await ledger.run(`INSERT INTO upstream_reads
    (upstream_id, kind, record_key, sale_date, failures, next_try)
    VALUES (${vendor_id}, 'sale', 'S-1', ${NOW}, 0, ${NOW})`);
  await ledger.run(`INSERT INTO upstream_problems (upstream_id, subject, kind, text, day, seen)
    VALUES (${vendor_id}, 'transaction S-1', 'details not found', 'of ${vendor_id}', NULL, ${NOW})`);
  await ledger.run(`INSERT INTO recurring_cancels (pre_key, claim, ends, user_id, asked)
    VALUES ('${pre_key}', 'claim', ${LATER}, ${vendor_id}, ${NOW})`);
  await ledger.run(`INSERT INTO personal_reads
    (vendor_id, read_at, writer, number, user_id, application_id, operation, times)
    VALUES (${vendor_id}, '${today} 00:00:00', 'w${vendor_id}', 1, ${vendor_id}, 0, 'getTransaction', 1)`);
  await ledger.run(`INSERT INTO change_cursors (listener, vendor_id, position, failures, next_try)
    VALUES ('notes', ${vendor_id}, 0, 0, ${NOW})`);
}

/**
 * Adds everything that a user may have who signs in with two factors and has forgotten the
 * password.
 */
export async function addSignInExtras(ledger: TestLedger, user_id: number): Promise<void> {
  await ledger.run(`INSERT INTO user_two_factor (user_id, encrypted_secret, confirmed, last_step)
    VALUES (${user_id}, '', ${NOW}, 1)`);
  await ledger.run(`INSERT INTO recovery_codes (user_id, code_hash) VALUES (${user_id}, 'hash')`);
  await ledger.run(
    `INSERT INTO two_factor_requirements (user_id, created) VALUES (${user_id}, ${NOW})`,
  );
  await ledger.run(`INSERT INTO password_links
    (user_id, token_hash, kind, sign_in_email, created, expires)
    VALUES (${user_id}, 'hash ${user_id}', 'invitation', 'x@example.test', ${NOW}, ${LATER})`);
  await ledger.run(`INSERT INTO mcp_used_tokens (token_id, user_id, expires)
    VALUES ('token of ${user_id}', ${user_id}, ${LATER})`);
}
