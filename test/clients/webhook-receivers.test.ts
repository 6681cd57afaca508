/** The receivers of docs/webhooks.md, run on one machine as that page describes. */
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { basic, send, type EnvelopeBody } from '../support/http/http.js';
import { ended } from '../support/processes/cli.js';
import { endAll, RunningService, until } from '../support/servers/running-service.js';

const GUIDE = readFileSync('docs/webhooks.md', 'utf8');
const [, TRIAL = ''] = /\n## Try a webhook on this machine\n(.*?)\n## /s.exec(GUIDE) ?? [];
const SALES = 120;
const LANGUAGES = ['mjs', 'py', 'php'] as const;
/** The folder of the trial on the page, below the home folder. */
const FOLDER = 'webhook-trial';

let ledger: TestLedger;
let service: RunningService;
let proxy: Started;
/** The values with which a reader replaces those on the page. */
const own = new Map<string, string>();

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([
    user(1),
    product(10, 1),
    ...Array.from({ length: SALES }, (_, index) => transaction(`sale-${index}`, 10)),
  ]);
  own.set('YOUR_KEY', await ledger.key(1));
  await typed(commandWith('openssl req'));
  service = await RunningService.start(ledger, 1, settingsIn(commandWith('npm start')));
  for (const port of ['8080', '8443']) own.set(port, String(await freePort()));
  own.set('127.0.0.1:3000', `127.0.0.1:${service.port}`);
  save('https.mjs', codeAfter('proxy'));
  proxy = start(commandWith('node ./https.mjs'));
});
afterAll(async () => {
  await stop(proxy);
  await endAll();
  await ledger.drop();
});

function codeAfter(mark: string): string {
  const [, code] =
    new RegExp(`<!-- ${mark} -->\\s+\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(GUIDE) ?? [];
  if (code === undefined) throw new Error(`the page has no ${mark}`);
  return code;
}

/** Returns the only block of commands of the trial that contains a text. */
function commandWith(text: string): string {
  const blocks = Array.from(TRIAL.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block);
  const [found, another] = blocks.filter((block) => block.includes(text));
  if (found === undefined || another !== undefined) throw new Error(`not one block: ${text}`);
  return found.trim();
}

/** Returns the settings before `npm start`. */
function settingsIn(command: string): Record<string, string> {
  const settings = Array.from(
    command.matchAll(/(\w+)=(\S+) /g),
    ([, name = '', value = '']) => [name, value.replace(/^~/, ledger.database.folder)] as const,
  );
  return Object.fromEntries(settings);
}

function withOwn(text: string): string {
  const written = /YOUR_KEY|whsec_YOUR_SECRET|127\.0\.0\.1:3000|8080|8443|(?<=webhooks\/)1/g;
  return text.replace(written, (shown) => own.get(shown) ?? shown);
}

function save(file: string, code: string): void {
  writeFileSync(join(ledger.database.folder, FOLDER, file), withOwn(code));
}

function options(folder: string) {
  const { database } = ledger;
  return { cwd: join(database.folder, folder), env: { ...process.env, HOME: database.folder } };
}

/** Runs commands of the page to their end. */
async function typed(commands: string): Promise<string> {
  const args = ['-e', '-c', withOwn(commands)];
  return (await promisify(execFile)('sh', args, options(''))).stdout;
}

/** Returns the result of a call of the page. */
async function called(command: string) {
  const { results } = JSON.parse(await typed(command)) as EnvelopeBody;
  return results[0] ?? {};
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<unknown>;
  readonly lines: () => string[];
}

/** Starts a command of the page in the folder of the trial. */
function start(command: string): Started {
  const child = spawn('sh', ['-c', `exec env ${withOwn(command)}`], options(FOLDER));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (printed += text.toString()));
  }
  return {
    child,
    ended: ended(child),
    lines: () => printed.split('\n').filter((line) => line.includes(' transaction ')),
  };
}

async function stop({ child, ended }: Started): Promise<void> {
  child.kill();
  await ended;
}

describe.each(LANGUAGES)('%s', (language) => {
  it('takes what is signed, and refuses what is not', async () => {
    const { id, secret } = await called(commandWith('-d '));
    own.set('1', String(id)).set('whsec_YOUR_SECRET', String(secret));
    save(`receiver.${language}`, codeAfter(`receiver in ${language}`));
    const lines = commandWith('WEBHOOK_SECRET').split('\n');
    const receiver = start(lines.find((line) => line.endsWith(`.${language}`)) ?? '');
    try {
      const test = async () => (await called(commandWith('/test'))).status === 204;
      await until('the receiver', test);
      await expectRefused(Number(own.get('8080')));
      await called(commandWith('/replay'));
      await until('all sales', () => new Set(receiver.lines()).size >= SALES);
      expect(receiver.lines().join('\n')).toMatch(/ transaction sold \{.*sale-119/);
      const path = `/ledger/v1/webhooks/${String(id)}/rotate`;
      await send(service.port, { method: 'POST', path, headers: basic(own.get('YOUR_KEY') ?? '') });
      await until('what two secrets sign', test);
    } finally {
      await stop(receiver);
      expect(await called(commandWith('DELETE'))).toMatchObject({ id });
    }
  });
});

async function expectRefused(port: number): Promise<void> {
  const forged = {
    'webhook-id': 'msg_x',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,x',
  };
  for (const headers of [{}, forged, { ...forged, 'webhook-signature': 'v1,é ' }]) {
    const answer = await send(port, { method: 'POST', path: '/', headers, body: '{}' });
    expect(answer.status).toBe(401);
  }
}
