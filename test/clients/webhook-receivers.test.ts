/** The receivers of docs/webhooks.md, as anybody copies them, behind a proxy that speaks HTTPS. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { basic, envelopeOf, send } from '../support/http/http.js';
import { ended } from '../support/processes/cli.js';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { endAll, RunningService, until } from '../support/servers/running-service.js';
import { WebhookReceiver } from '../support/servers/webhook-receiver.js';

const GUIDE = readFileSync('docs/webhooks.md', 'utf8');
const SALES = 120;
const PROGRAMS = {
  mjs: (file: string) => [process.execPath, file],
  py: (file: string) => ['python3', file],
  php: (file: string, port: number) => ['php', '-S', `127.0.0.1:${port}`, file],
} as const;

let ledger: TestLedger;
let key: string;
let proxy: WebhookReceiver;
let service: RunningService;

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([
    ...[user(1), product(10, 1)],
    ...Array.from({ length: SALES }, (_, index) => transaction(`sale-${index}`, 10)),
  ]);
  key = await ledger.key(1);
  proxy = new WebhookReceiver();
  service = await RunningService.start(ledger, 1, await proxy.start());
});
afterAll(async () => {
  await endAll();
  proxy.stop();
  await ledger.drop();
});

function call(method: string, path: string, body?: object) {
  return send(service.port, {
    ...{ method, path: `/ledger/v1/webhooks${path}` },
    headers: { ...basic(key), ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The receiver of the guide in a language, in a file. */
function written(language: string): string {
  const code = new RegExp(`<!-- receiver in ${language} -->\\s+\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(
    GUIDE,
  )?.[1];
  if (code === undefined) throw new Error(`the guide has no receiver in ${language}`);
  const file = join(ledger.database.folder, `receiver.${language}`);
  writeFileSync(file, code);
  return file;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: () => string[];
}

function run(command: readonly string[], env: Readonly<Record<string, string>>): Running {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'pipe' });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (printed += text.toString()));
  }
  return {
    child,
    lines: () => printed.split('\n').filter((line) => line.includes(' transaction ')),
  };
}

describe.each(Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])('%s', (language) => {
  it('takes what is signed, and refuses what is not', async () => {
    const created = await call('POST', '', { url: proxy.url, from: 'now' });
    const [{ id, secret } = {}] = envelopeOf(created).results;
    const port = await freePort();
    const env = { WEBHOOK_SECRET: String(secret), PORT: String(port) };
    const { child, lines } = run(PROGRAMS[language](written(language), port), env);
    const stopped = ended(child);
    try {
      proxy.forwardTo(port);
      const test = async () => envelopeOf(await call('POST', `/${String(id)}/test`)).results[0];
      await until('the receiver', async () => (await test())?.status === 204);
      const forged = {
        'webhook-id': 'msg_x',
        'webhook-timestamp': '1',
        'webhook-signature': 'v1,x',
      };
      for (const headers of [{}, forged, { ...forged, 'webhook-signature': 'v1,é ' }]) {
        const answer = await send(port, { method: 'POST', path: '/', headers, body: '{}' });
        expect(answer.status).toBe(401);
      }
      await call('POST', `/${String(id)}/replay`, {});
      await until('all sales', () => new Set(lines()).size >= SALES);
      expect(lines().join('\n')).toContain('sale-119');
      await call('POST', `/${String(id)}/rotate`);
      await until('what two secrets sign', async () => (await test())?.status === 204);
    } finally {
      child.kill();
      await stopped;
      await call('DELETE', `/${String(id)}`);
    }
  });
});
