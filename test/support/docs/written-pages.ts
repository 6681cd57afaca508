import { expect } from '@jest/globals';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { basic } from '../http/http.js';
import { SteadyLoad } from '../http/steady-load.js';

/** Returns the address of a sales page that contains the number of a write. */
export const pageOf = (number: number) => `https://sales.example/${number}`;

/** Returns the body of the write with this number. */
export const change = (number: number) => ({
  approval_status: 'INSTANT',
  custom_sales_page_url: pageOf(number),
});

export interface PageWriters {
  readonly port: number;
  readonly key: string;
  readonly clients: number;
  /** Path of the affiliate terms that a client writes. */
  readonly path: (client: number) => string;
  /** The first number that is written. No other write uses this number or a higher one. */
  readonly from: number;
}

/**
 * Creates clients that write numbers one after another, each number once.
 * @param acknowledged receives the numbers whose write returned status 200
 */
export function pageWriters(
  { port, key, clients, path, from }: PageWriters,
  acknowledged: number[],
): SteadyLoad {
  const asked = (number: number) => ({
    method: 'PUT',
    path: path(number % clients),
    headers: { ...basic(key), 'Content-Type': 'application/json' },
    body: JSON.stringify(change(from + number)),
  });
  return new SteadyLoad(port, clients, asked, ({ status }, number) => {
    if (status === 200) acknowledged.push(from + number);
  });
}

/**
 * Returns how often each number was written, according to the audit log, which is written in the
 * same transaction.
 */
export async function timesWritten(direct: Connection): Promise<ReadonlyMap<number, number>> {
  const sql = "SELECT state_after FROM audit_log WHERE action = 'affiliation.set'";
  const [rows] = await direct.query<RowDataPacket[]>(sql);
  const counts = new Map<number, number>();
  for (const { state_after } of rows) {
    const number = Number(/sales\.example\/(\d+)"/.exec(String(state_after))?.[1]);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

/** Expects that each acknowledged number was written once, and no number twice. */
export async function expectWrittenOnce(
  direct: Connection,
  acknowledged: readonly number[],
): Promise<void> {
  const counts = await timesWritten(direct);
  expect(acknowledged.filter((number) => counts.get(number) !== 1)).toEqual([]);
  expect([...counts.values()].filter((times) => times > 1)).toEqual([]);
}
