import { expect } from '@jest/globals';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { basic } from '../http/http.js';
import { SteadyLoad } from '../http/steady-load.js';

/** A sales page that says which write of a relationship it is of. */
export const pageOf = (number: number) => `https://sales.example/${number}`;

/** The body of a write. */
export const change = (number: number) => ({
  approval_status: 'INSTANT',
  custom_sales_page_url: pageOf(number),
});

export interface PageWriters {
  readonly port: number;
  readonly key: string;
  readonly clients: number;
  /** Of the relationship that a client writes to. */
  readonly path: (client: number) => string;
  /** The first number that is written; no other write has one from there on. */
  readonly from: number;
}

/**
 * Clients that write numbers one after another, each number once.
 * @param acknowledged where they note what was answered 200
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

/** How often each number was written, by the audit log, which is written with it. */
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

/** That each of these was written once, and no other twice. */
export async function expectWrittenOnce(
  direct: Connection,
  acknowledged: readonly number[],
): Promise<void> {
  const counts = await timesWritten(direct);
  expect(acknowledged.filter((number) => counts.get(number) !== 1)).toEqual([]);
  expect([...counts.values()].filter((times) => times > 1)).toEqual([]);
}
