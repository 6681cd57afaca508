import type { Connection, RowDataPacket } from 'mysql2/promise';

/** How often each `https://sales.example/NUMBER` was written, by the audit log, which is written with it. */
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
