import type { Demo } from './modules/demo/demo.service.js';
import { shownText } from './common/shown-text.js';
import { DAY_MS, dayOf, dateTimeOf } from './common/time.js';

/** Returns the text that a start prints: the address of the service, and the next steps. */
export function welcome(address: string, demo: Demo | null): string {
  return [
    `Vendor Reporting API listens on ${address}`,
    `Account pages: ${address}/account`,
    ...(demo === null ? FIRST_STEPS : demoSteps(address, demo)),
    '',
  ].join('\n');
}

const FIRST_STEPS = [
  'Set a password: npm run cli -- users set-password ID',
  'Create a key: npm run cli -- keys create --user ID --name "My application"',
];

function demoSteps(address: string, { key, signIn }: Demo): string[] {
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
  ];
}
