/** The follower of docs/changes.md, as anybody copies it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../support/builders/ledger-records.js';
import { ended } from '../support/processes/cli.js';
import { readCopy } from '../support/oracles/ledger-copy.js';
import { TestService } from '../support/servers/service.js';

const [, EXAMPLE = ''] =
  /<!-- follower -->\s+```js\n(.*?)```/s.exec(readFileSync('docs/changes.md', 'utf8')) ?? [];
const SALES = 1_200;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[user(1), user(2, { display_name: 'First' }), product(10, 1)],
    ...Array.from({ length: SALES }, (_, index) =>
      transaction(`sale-${index}`, 10, { amount: '0.29', affiliate_id: 2 }),
    ),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

async function followOnce(copy: string): Promise<void> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', EXAMPLE], {
    env: {
      ...process.env,
      ...{ API_URL: `http://127.0.0.1:${service.port}`, API_KEY: key, COPY: copy, ONCE: 'yes' },
    },
  });
  expect(await ended(child)).toEqual({ status: 0, stdout: '', stderr: '' });
}

describe('the follower that anybody can copy', () => {
  it('has 60 lines at most', () => {
    expect(EXAMPLE.trim().split('\n').length).toBeGreaterThan(30);
    expect(EXAMPLE.trim().split('\n').length).toBeLessThanOrEqual(60);
  });

  it('copies a ledger and goes on', async () => {
    const copy = join(service.database.folder, 'example.sqlite');
    await followOnce(copy);
    const sums = 'SELECT COUNT(*) AS sales, SUM(amount_cents) AS cents FROM transactions';
    expect(readCopy(copy, sums)).toEqual([{ sales: SALES, cents: SALES * 29 }]);
    await service.import([
      user(2, { display_name: 'Second' }),
      transaction('sale-7', 10, {
        ...{ amount: '0.29', affiliate_id: 2, status: 'refunded' },
        refund: refund('2025-07-01T00:00:00Z'),
      }),
    ]);
    await followOnce(copy);
    const changed = "SELECT status, affiliate FROM transactions WHERE transaction_id = 'sale-7'";
    expect(readCopy(copy, changed)).toEqual([{ status: 'refunded', affiliate: 'Second' }]);
    expect(readCopy(copy, sums)).toEqual([{ sales: SALES, cents: SALES * 29 }]);
  });
});
