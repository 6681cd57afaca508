import { DAY_MS, dayOf, momentOf } from './common/time.js';

/** What a person who started the service needs next. */
export function welcome(address: string, demoKey: string | null): string {
  const lines = [`Vendor Reporting API listens on ${address}`];
  if (demoKey === null) {
    lines.push('Make a key: npm run cli -- keys create --user ID --name "My application"');
  } else {
    const now = Date.now();
    const from = dayOf(momentOf(new Date(now - 30 * DAY_MS)));
    const to = dayOf(momentOf(new Date(now)));
    const query = `start_date=${from}&end_date=${to}&page_size=2`;
    lines.push(
      `Demo key: ${demoKey}`,
      'Try it:',
      `  curl -u ${demoKey}:x '${address}/v3.0/transactions?${query}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}
