/** The state at the end, on every node and through every instance. */
import { expect } from '@jest/globals';
import { basic, envelopeOf, send } from '../support/http/http.js';
import { FIRST_DAY, LAST_DAY, type GrowingLedger } from './growing-ledger.js';
import { SIZE, type Topology } from './topology.js';

const PAGE_SIZE = 200;

/** Expects that each instance shows the whole list. */
export async function expectWholeLists(
  topology: Topology,
  ledger: GrowingLedger,
  key: string,
): Promise<void> {
  const span = ledger.span(ledger.batches);
  const pages = Math.ceil(ledger.size / PAGE_SIZE);
  for (const { service } of topology.ports) {
    for (let index = 0; index <= pages; index += 1) {
      const path = `/v3.0/transactions?start_date=${FIRST_DAY}&end_date=${LAST_DAY}&page_size=${PAGE_SIZE}&page_index=${index}`;
      const answer = await send(service, { path, headers: basic(key) });
      expect(ledger.faultOfList(envelopeOf(answer), span, index, PAGE_SIZE)).toBeNull();
    }
  }
}

/** Expects that the nodes have the same rows, and that derived data matches the ledger. */
export async function expectSameNodes(topology: Topology): Promise<void> {
  const verified = await topology.ledger(0).cli(['verify']);
  expect(verified).toMatchObject({ status: 0, stderr: '' });
  const nodes: unknown[] = [];
  for (let place = 0; place < SIZE; place += 1) {
    const tables = await topology.rows('SHOW TABLES', place);
    const names = tables.map((row) => String(Object.values(row)[0]));
    nodes.push(await topology.rows(`CHECKSUM TABLE ${names.join(', ')}`, place));
  }
  expect(nodes).toEqual(nodes.map(() => nodes[0]));
}

/**
 * Expects that each acknowledged cancel is done and in the audit log once, and that no other one is
 * there twice.
 */
export async function expectCancels(
  topology: Topology,
  acknowledged: readonly string[],
): Promise<void> {
  const canceled = await topology.rows(
    "SELECT pre_key, id FROM recurring_payments WHERE status = 'CANCELED' ORDER BY id",
  );
  const audited = await topology.rows(
    "SELECT subject FROM audit_log WHERE action = 'recurring_payment.cancel'",
  );
  expect(canceled.map(({ pre_key }) => pre_key)).toEqual(expect.arrayContaining([...acknowledged]));
  expect(audited.map(({ subject }) => subject).sort()).toEqual(
    canceled.map(({ id }) => `recurring payment ${String(id)}`).sort(),
  );
}
