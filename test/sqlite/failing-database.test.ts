/** A SQLite file is damaged or becomes unwritable while the service runs. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import SqliteConnection from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { basic } from '../support/http/http.js';
import { endAll, RunningService, until } from '../support/servers/running-service.js';
import type { TestLedger } from '../support/builders/test-ledger.js';
import { NAMES_PATH, workersLedger } from '../support/builders/workers-ledger.js';

/** Overwrites the first page of a table and those of its indexes. */
function damage(ledger: TestLedger, table: string): void {
  const path = ledger.database.url.replace(/^sqlite:/, '');
  const connection = new SqliteConnection(path, { readonly: true });
  const size = Number(connection.pragma('page_size', { simple: true }));
  const pages = connection.prepare('SELECT rootpage FROM sqlite_schema WHERE tbl_name = ?');
  const damaged = pages.pluck().all(table).map(Number);
  connection.close();
  const file = openSync(path, 'r+');
  for (const page of damaged) writeSync(file, Buffer.alloc(size, 0xab), 0, size, (page - 1) * size);
  closeSync(file);
}

describe.each([1, 2])('The service with %i worker(s) is not ready', (workers) => {
  let ledger: TestLedger;
  let key: string;
  let service: RunningService;
  let management: number;
  beforeAll(async () => {
    ({ ledger, key } = await workersLedger());
    management = await freePort();
    service = await RunningService.start(ledger, workers, { MANAGEMENT_PORT: String(management) });
  });
  afterAll(async () => {
    await endAll();
    await ledger.drop();
  });

  /** Returns the status code and the status text of the readiness check. */
  async function readiness(): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${management}/health/ready`);
    const { status } = (await answer.json()) as { status: string };
    return `${answer.status} ${status}`;
  }

  it('where nothing can be written, and is again when it can', async () => {
    const limit = (size: string) =>
      spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${size}:unlimited`]);
    expect(await readiness()).toBe('200 ready');
    // Node gets EFBIG, which stands for the ENOSPC of a full disk.
    limit('0');
    await until('the news', async () => (await readiness()) === '503 database failing');
    expect(await readiness()).toBe('503 database failing');
    limit('unlimited');
    await until('the end of it', async () => (await readiness()) === '200 ready');
    const told = () => service.lines(/Not ready: database failing \(EFBIG\)|Ready again/);
    await until('the log', () => told().length === 2);
  });

  it('where a request has met a damaged page', async () => {
    damage(ledger, 'products');
    expect(await readiness()).toBe('200 ready');
    const url = `http://127.0.0.1:${service.port}${NAMES_PATH}`;
    expect((await fetch(url, { headers: basic(key) })).status).toBe(500);
    await until('the news', async () => (await readiness()) === '503 database failing');
    const told = () => service.lines(/Not ready: database failing \(SQLITE_CORRUPT/);
    await until('the log', () => told().length === 1);
  });
});
