import { expect } from '@jest/globals';
import type { TestLedger } from '../builders/test-ledger.js';
import { basic, send } from '../http/http.js';
import { linesOf, NDJSON, RECORDS, resultsIn } from '../http/records.js';
import { until } from '../servers/running-service.js';
import type { TestService } from '../servers/service.js';
import type { HistoryWriter } from './reasoned-history.js';

const CANCEL = { status: 'CANCEL' };
/** A process that is killed may answer 503 before it is gone. */
const RETRIED: ReadonlySet<number> = new Set([500, 502, 503]);

/** Returns a writer that uses the service in this process. */
export function writerIn(service: TestService, ledger: TestLedger, vendor: number): HistoryWriter {
  return {
    import: (records) => service.import(records),
    cancel: async (pre_key) => {
      const key = await service.key(vendor);
      const answer = await service.put(`/v2.0/recurring_payment/${pre_key}`, key, CANCEL);
      expect(answer.status).toBe(200);
    },
    lastSequence: () => lastSequence(ledger, vendor),
  };
}

/**
 * Returns a writer that sends requests without a response again, because the service may be killed
 * at any time.
 * @param port returns the current port of the service
 */
export async function writerOver(
  ledger: TestLedger,
  vendor: number,
  port: () => number,
): Promise<HistoryWriter> {
  const [source, own] = [await ledger.sourceKey(), await ledger.key(vendor)];
  const ask = (key: string, type: string) => (method: string, path: string, body: string) =>
    untilAnswered(port, { method, path, body, headers: { ...basic(key), 'Content-Type': type } });
  return {
    import: async (records) => {
      const answer = await ask(source, NDJSON)('POST', RECORDS, linesOf(records));
      expect(resultsIn(answer).filter(({ verdict }) => verdict === 'rejected')).toEqual([]);
    },
    cancel: (pre_key) => {
      const path = `/v2.0/recurring_payment/${pre_key}`;
      return ask(own, 'application/json')('PUT', path, JSON.stringify(CANCEL));
    },
    lastSequence: () => lastSequence(ledger, vendor),
  };
}

async function untilAnswered(port: () => number, request: Parameters<typeof send>[1]) {
  let answer: Awaited<ReturnType<typeof send>> | null = null;
  await until('an answer', async () => {
    answer = await send(port(), request).catch(() => null);
    return answer !== null && !RETRIED.has(answer.status);
  });
  expect(answer).toMatchObject({ status: 200 });
  return answer as unknown as Awaited<ReturnType<typeof send>>;
}

export async function lastSequence(ledger: TestLedger, vendor: number): Promise<number> {
  const of = `vendor_id = ${vendor}`;
  const [row] = await ledger.rows(`SELECT last_sequence FROM ledger_revisions WHERE ${of}`);
  return Number(row?.last_sequence ?? 0);
}
