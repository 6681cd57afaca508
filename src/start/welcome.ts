import type { Settings } from '../config/settings.js';
import type { Demo } from '../modules/demo/index.js';
import { shownText } from '../platform/values/shown-text.js';
import { DAY_MS, dayOf, dateTimeOf } from '../platform/values/time.js';

/** The state of the ledger at the start, which decides what an operator does next. */
export interface LedgerAtStart {
  /** Null if the ledger is not the demo. */
  readonly demo: Demo | null;
  /** True if nobody can sign in, because there is no user. */
  readonly isEmpty: boolean;
}

/** Returns the text that a start prints: the addresses of the service, and the next steps. */
export function welcome(
  address: string,
  { demo, isEmpty }: LedgerAtStart,
  settings: Settings,
): string {
  const steps = isEmpty ? emptySteps(settings) : FIRST_STEPS;
  return [
    `Vendor Reporting API listens on ${address}`,
    `Account pages: ${address}/account`,
    `Guide: ${address}/docs/guide`,
    `API reference: ${address}/docs`,
    ...(demo === null ? steps : demoSteps(address, demo, settings)),
    'Stop the service: Ctrl+C',
    '',
  ].join('\n');
}

const FIRST_STEPS = [
  'Set a password: npm run cli -- users set-password ID',
  'Create a key: npm run cli -- keys create --user ID --name "My application"',
];

function emptySteps({ databaseIsDefault }: Settings): string[] {
  return [
    '',
    'The database is empty. To sign in, add yourself:',
    '  npm run cli -- users add "Your Name" you@example.com',
    '  npm run cli -- users set-password 1',
    'Then get your sales in, in one of three ways:',
    '  Import a file (docs/ledger-file.md):',
    '    npm run cli -- import FILE',
    '  Connect another service with this API (docs/mirror.md):',
    '    npm run cli -- upstreams add --url https://… --key-file key.txt',
    '  Send records from your sales system (docs/records.md):',
    '    npm run cli -- keys create --source "My shop"',
    ...(databaseIsDefault ? [] : ['Run these commands with the same DATABASE_URL.']),
    '',
  ];
}

function demoSteps(address: string, { key, signIn }: Demo, { database }: Settings): string[] {
  const now = Date.now();
  const [from, to] = [now - 30 * DAY_MS, now].map((time) => dayOf(dateTimeOf(new Date(time))));
  const query = `start_date=${from}&end_date=${to}&page_size=2`;
  return [
    ...(signIn === null
      ? []
      : [`Demo sign-in: ${shownText(signIn.email)}, password ${signIn.password}`]),
    `Demo key: ${key}`,
    'Try it:',
    `  curl -u ${key}:x '${address}/v3.0/transactions?${query}'`,
    ...(database.dialect === 'sqlite' ? [`Demo data: ${database.path}`] : []),
    'Your own data: set DATABASE_URL, such as DATABASE_URL=sqlite:data/own.sqlite npm start',
  ];
}
