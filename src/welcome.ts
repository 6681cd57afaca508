import type { Demo } from './modules/demo/demo.service.js';
import { shownText } from './common/shown-text.js';
import { DAY_MS, dayOf, dateTimeOf } from './common/time.js';

/** What a person who started the service needs next. */
export function welcome(address: string, demo: Demo | null): string {
  const lines = [`Vendor Reporting API listens on ${address}`];
  if (demo === null) {
    lines.push(
      `Account pages: ${address}/account`,
      'Set a password: npm run cli -- users set-password ID',
      'Make a key: npm run cli -- keys create --user ID --name "My application"',
    );
  } else {
    const now = Date.now();
    const from = dayOf(dateTimeOf(new Date(now - 30 * DAY_MS)));
    const to = dayOf(dateTimeOf(new Date(now)));
    const query = `start_date=${from}&end_date=${to}&page_size=2`;
    lines.push(
      `Account pages: ${address}/account`,
      ...(demo.signIn === null
        ? []
        : [`Demo sign-in: ${shownText(demo.signIn.email)}, password ${demo.signIn.password}`]),
      `Demo key: ${demo.key}`,
      'Try it:',
      `  curl -u ${demo.key}:x '${address}/v3.0/transactions?${query}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
