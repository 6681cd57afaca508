import { expect } from '@jest/globals';
import { OTHER, VENDOR } from '../builders/all-records.js';
import { bytesOf, type TestLedger } from '../builders/test-ledger.js';
import { recurringPayment, transaction } from '../builders/ledger-records.js';
import { TEST_SECRET } from '../servers/service.js';
import type { RecordedService } from '../servers/recorded-service.js';

const OTHER_SECRET = 'another secret of the tests, long enough';
const EMAIL = 'gone@example.test';

/** Number of rows, which is more than are read at a time. */
const MANY = 210;
/** Tables that an extension has left. Erasures work from their declarations. */
const TABLES = {
  notes: {
    sql: `CREATE TABLE notes (vendor_id BIGINT NOT NULL, transaction_id VARCHAR(255) NOT NULL,
      number BIGINT NOT NULL, text TEXT NOT NULL, author VARCHAR(255),
      PRIMARY KEY (vendor_id, transaction_id, number))`,
    personal: {
      by: 'transaction',
      key: 'transaction_id',
      date: null,
      primaryKey: ['vendor_id', 'transaction_id', 'number'],
      columns: { text: '', author: null },
    },
  },
  notes_contacts: {
    sql: `CREATE TABLE notes_contacts (id BIGINT NOT NULL PRIMARY KEY, vendor_id BIGINT NOT NULL,
      email VARCHAR(255) NOT NULL, asked DATETIME NOT NULL)`,
    personal: {
      by: 'email',
      key: 'email',
      date: 'asked',
      primaryKey: ['id'],
      columns: { email: '' },
    },
  },
};

async function addExtensionTables(ledger: TestLedger): Promise<void> {
  for (const [name, { sql, personal }] of Object.entries(TABLES)) {
    await ledger.run(sql);
    await ledger.run(
      `INSERT INTO extension_tables VALUES ('${name}', 'notes', '${JSON.stringify(personal)}')`,
    );
  }
}

async function addExtensionRows(ledger: TestLedger): Promise<void> {
  for (const table of Object.keys(TABLES)) await ledger.run(`DELETE FROM ${table}`);
  const notes = Array.from(
    { length: MANY },
    (_, number) => `(${VENDOR}, 'gone-1', ${number}, 'Call', 'Bob')`,
  );
  await ledger.run(`INSERT INTO notes VALUES ${notes.join(', ')}`);
  await ledger.run(
    `INSERT INTO notes_contacts VALUES (1, ${VENDOR}, '${EMAIL}', '2025-06-01 00:00:00')`,
  );
}

/**
 * Does everything that commands do with a customer's data: finds it, exports it, erases it, and
 * imports it again.
 */
export async function erasePeople(recorded: RecordedService): Promise<void> {
  const customer = { email: EMAIL, first_name: 'G', last_name: 'One', processor_email: EMAIL };
  const payer = {
    email: 'other@example.test',
    first_name: 'O',
    last_name: 'T',
    processor_email: EMAIL,
  };
  const lines = bytesOf([
    recurringPayment('PRE-GONE', 10, { id: 77, contact_email: EMAIL }),
    transaction('gone-1', 10, { customer, pre_key: 'PRE-GONE' }),
    transaction('gone-2', 10, { customer: payer }),
    transaction('gone-3', 30, { customer }),
  ]);
  const run = async (args: readonly string[], input?: Buffer) => {
    const { status, stderr } = await recorded.command(args, input);
    expect([args, status, stderr]).toEqual([args, 0, '']);
  };
  await run(['import', '-'], lines);
  await addExtensionTables(recorded.ledger);
  await addExtensionRows(recorded.ledger);
  await run(['people', 'find', EMAIL, '--all']);
  await run(['people', 'export', EMAIL, '--vendor', String(VENDOR)]);
  await run(['people', 'erase', EMAIL, '--vendor', String(VENDOR)]);
  await run(['people', 'erase', EMAIL, '--all']);
  await addExtensionRows(recorded.ledger);
  // A sale with notes has left the ledger.
  const removed = "kind = 'removed_transaction' AND record_key = 'gone-1'";
  await recorded.ledger.run(`INSERT INTO changed_records
    (vendor_id, kind, record_key, sequence, changed_at)
    VALUES (${VENDOR}, 'removed_transaction', 'gone-1', 1, '2025-06-01 00:00:00')`);
  await run(['extension', 'erase', 'notes']);
  await recorded.ledger.run(`DELETE FROM changed_records WHERE ${removed}`);
  await run(['people', 'erase', 'nobody@example.test', '--vendor', String(VENDOR)]);
  await recorded.ledger.run("INSERT INTO open_imports VALUES ('open', 0, '2999-12-31 00:00:00')");
  await run(['people', 'erase', 'nobody@example.test', '--all']);
  await recorded.ledger.run('DELETE FROM open_imports');
  await run(['import', '-'], lines);
  // This simulates interrupted erasures.
  await recorded.ledger.run(`UPDATE erased_people SET is_pending = 1, numbered_at = NULL
    WHERE vendor_id <> ${OTHER}`);
  // An instance of the previous version leaves erasures in this state.
  await recorded.ledger.run(`INSERT INTO erased_people (vendor_id, person, erased_at, is_pending)
    VALUES (${OTHER}, 'x', '2020-01-01 00:00:00', 0)`);
  await run(['people', 'replay']);
  // The keys are re-encrypted with another secret and back.
  for (const [old, now] of [
    [TEST_SECRET, OTHER_SECRET] as const,
    [OTHER_SECRET, TEST_SECRET] as const,
  ]) {
    const args = ['keys', 'rewrap', '-'];
    const { status } = await recorded.command(args, old, { KEY_ENCRYPTION_SECRET: now });
    expect(status).toBe(0);
  }
}
