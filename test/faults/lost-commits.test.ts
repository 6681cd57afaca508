/** A host that is lost during a commit, so that the outcome is unknown. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RowDataPacket } from 'mysql2/promise';
import { Database } from '../../src/platform/database/database.js';
import { AuditService } from '../../src/modules/audit/audit.service.js';
import { auditLinesOf, LOGGED, messageOf } from '../support/sql/audit-log.js';
import { COMMIT } from '../support/servers/flaky-proxy.js';
import { statesOf } from '../support/processes/gauges.js';
import { noted } from '../support/processes/noted-use.js';
import { until } from '../support/servers/running-service.js';
import { stopwatch } from '../support/processes/stopwatch.js';
import { RELATIONSHIP, TwoHosts } from '../support/servers/two-hosts.js';
import { change, timesWritten } from '../support/docs/written-pages.js';

const LIMIT_MS = 2_000;
/** Time after which a silent host is given up: see mysql-host.ts. */
const GIVEN_UP_MS = 600;
const LIST = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';

let hosts: TwoHosts;

beforeAll(async () => {
  hosts = await TwoHosts.start();
});
afterAll(() => hosts.end());
afterEach(() => hosts.rest());

describe('a service that has another host', () => {
  it('finds out whether a write was committed if its host fell silent during the commit', async () => {
    const on = await hosts.serve({ DATABASE_STATEMENT_MS: '10000' });
    await on.service.get(LIST, on.key);
    await noted(on.direct);
    hosts.first.cutBefore(COMMIT);
    const sent = performance.now();
    const waited = stopwatch();
    const put = on.service.put(RELATIONSHIP, on.key, change(1));
    await until('it is at its commit', () => hosts.first.isCut);
    // Both networks lead to one server, where the transaction would hold its locks.
    hosts.first.giveUp();
    expect((await put).status).toBe(200);
    expect(performance.now() - sent).toBeGreaterThan(GIVEN_UP_MS);
    expect(waited()).toBeLessThan(LIMIT_MS);
    expect((await timesWritten(on.direct)).get(1)).toBe(1);
  });

  it.each([
    ['breakBefore', 2],
    ['breakAfter', 3],
  ] as const)('writes once if the connection is lost at the commit: %s', async (fault, number) => {
    const on = await hosts.serve(LOGGED);
    await on.service.get(LIST, on.key);
    await noted(on.direct);
    const lines = auditLinesOf(on.service);
    hosts.first[fault](COMMIT);
    hosts.first.failsOnceBroken = true;
    expect((await on.service.put(RELATIONSHIP, on.key, change(number))).status).toBe(200);
    expect(hosts.first.hasBroken).toBe(true);
    expect((await timesWritten(on.direct)).get(number)).toBe(1);
    // The outcome of the first attempt was unknown.
    const [stored] = await on.service.app.get(AuditService).lastEntries(1);
    const told = lines.map(messageOf);
    expect(told[0]).toMatchObject({ outcome: 'unknown' });
    expect(told.filter(({ id }) => id === stored?.id)).toMatchObject([{ ...stored }]);
    expect(told).toHaveLength(fault === 'breakBefore' ? 2 : 1);
  });

  it('repeats no commit that is not idempotent, and reports an unknown outcome', async () => {
    const on = await hosts.serve();
    hosts.first.breakAfter(COMMIT);
    let times = 0;
    const writing = on.service.app.get(Database).write((session) => {
      times += 1;
      return session.run('UPDATE users SET name = ? WHERE id = 1', ['New']);
    });
    await expect(writing).rejects.toMatchObject({ name: 'UnknownOutcomeError' });
    expect(times).toBe(1);
  });

  /** A write waits for its commit until the silent host is given up. */
  it.each([
    ['before its commit arrives', 'cutBefore', 'User 1'],
    ['before the answer to its commit arrives', 'cutAfter', 'At the commit'],
  ] as const)('does not repeat it either if its host falls silent %s', async (_, cut, name) => {
    const on = await hosts.serve({ DATABASE_STATEMENT_MS: '10000' });
    hosts.first[cut](COMMIT);
    let times = 0;
    const writing = on.service.app.get(Database).write((session) => {
      times += 1;
      return session.run('UPDATE users SET name = ? WHERE id = 1', ['At the commit']);
    });
    const told = expect(writing).rejects.toMatchObject({ name: 'UnknownOutcomeError' });
    await until('it is at its commit', () => hosts.first.isCut);
    // Both networks lead to one server, where the transaction would hold its locks.
    hosts.first.giveUp();
    await told;
    // The next host is used from then on, and the write is not repeated there.
    await until('the next host', async () => {
      const { up, passed_over } = await statesOf(on.service, 'database_hosts');
      return up === 1 && passed_over === 1;
    });
    expect(times).toBe(1);
    const [rows] = await on.direct.query<RowDataPacket[]>('SELECT name FROM users WHERE id = 1');
    expect(rows).toEqual([{ name }]);
    expect((await on.service.get(LIST, on.key)).status).toBe(200);
  });
});
