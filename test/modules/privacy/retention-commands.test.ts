/** The commands of retention, and its display for the vendor. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RetentionLoopService } from '../../../src/modules/privacy/retention/retention-run.service.js';
import { Visitor } from '../../support/browser/visitor.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { MARK, markedSale } from '../../support/builders/marked-ledger.js';
import { runCli } from '../../support/processes/cli.js';
import { openRaw } from '../../support/sql/raw-connection.js';
import { dialect } from '../../support/sql/test-database.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  // The background loop would use the real date.
  await service.app.get(RetentionLoopService).beforeApplicationShutdown();
  await service.import([
    user(1),
    user(3),
    product(10, 1),
    markedSale('old', 10, '2020-06-01T00:00:00Z'),
  ]);
});
afterAll(() => service.stop());

describe('retention', () => {
  it('is set, listed, run and cleared by commands, and shown to the vendor', async () => {
    const cli = (...args: string[]) =>
      runCli(service.database.url, ['retention', ...args], { env: { LOG_LEVEL: 'error' } });
    expect(await cli('set', '--vendor', '1', '--months', '6', '--json')).toMatchObject({
      status: 0,
      stdout: '{"vendor_id":1,"months":6}\n',
    });
    expect((await cli('list')).stdout).toMatch(/^Vendor 1: personal data is kept for 6 months\.\n/);
    const { status, stdout } = await cli('run', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { vendor_id: 1, transactions: 1 }]);
    const visitor = await Visitor.signedIn(service, 1);
    const page = await visitor.get('/account/data-protection');
    expect(page.text).toContain('are kept for 6 months after the sale.');
    expect(page.text).toContain('Personal data of sales before');
    expect(page.text).toContain(
      'Reads of your customers’ data are not recorded. To have them recorded, ask the operator',
    );
    expect(page.text).toMatch(/Access log <span class="badge pending">Off<\/span>/);
    expect(page.text).toContain('The operator of this service sets these for your account,');
    expect(page.text).not.toMatch(/name="transaction"|No such reads/);
    expect(await cli('clear', '--vendor', '1')).toMatchObject({ status: 0 });
    const cleared = await visitor.get('/account/data-protection');
    expect(cleared.text).toContain('<p>Customers’ data is kept indefinitely.</p>');
    expect(await cli('clear', '--vendor', '1')).toMatchObject({ status: 1 });
    expect(await cli('set', '--vendor', '77', '--for-ever')).toMatchObject({ status: 1 });
    for (const wrong of [
      ['set', '--months', '6'],
      ['set', '--all', '--vendor', '1', '--months', '6'],
      ['set', '--all'],
      ['set', '--all', '--months', '6', '--for-ever'],
      ['set', '--all', '--months', '0'],
    ]) {
      expect((await cli(...wrong)).status).not.toBe(0);
    }
    expect((await cli('list', '--json')).stdout).toMatch(/^\{"vendor_id":1,"retained_from":/);
  });

  it('is found by verify where something was put back past the service', async () => {
    const raw = await openRaw(service.database.url);
    await raw.run("UPDATE transactions SET customer_phone = '1', rendered = NULL");
    const { status, stdout } = await runCli(service.database.url, ['verify']);
    expect([status, stdout]).toEqual([
      1,
      'emptied transactions with personal data of vendor 1: kept 1, actual 0\n',
    ]);
    await raw.close();
  });

  it('overwrites what it empties in the file of SQLite', async () => {
    if (dialect !== 'sqlite') return;
    const sales = Array.from({ length: 200 }, (_, sale) =>
      markedSale(`old-${sale}`, 30, '2020-06-01T00:00:00Z'),
    );
    await service.import([product(30, 3), ...sales]);
    const raw = await openRaw(service.database.url);
    // The import leaves free space where pages were split.
    await raw.run('VACUUM');
    await raw.close();
    for (const args of [
      ['set', '--vendor', '3', '--months', '6'],
      ['run', '--vendor', '3'],
    ]) {
      const { status } = await runCli(service.database.url, ['retention', ...args]);
      expect(status).toBe(0);
    }
    const file = readFileSync(service.database.url.slice('sqlite:'.length)).toString('latin1');
    // Every sale had a dozen such values. Some copies remain where pages were merged.
    expect(file.split(`${MARK}-old-`).length - 1).toBeLessThan(800);
  });
});
