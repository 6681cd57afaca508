/** Words of the pages that plainer ones have replaced. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Phrases that no page has any more. */
const OLD = [
  'Sales I made as an affiliate',
  'count on the day of',
  'Whole days in UTC',
  'total of all sales',
  'Nothing in this range',
  'All transactions in this range',
  'Refunds by month of sale',
  'Other transactions of this customer',
  'Who read this',
  'Next page',
  'All affiliates with a relationship',
  'Unpaid commissions are as of',
  'Approves the affiliate',
  'Denies the affiliate',
  'Empty for no commission',
  'A whole amount in the currency',
  'Only for visitors whom',
  'A check: if it is not',
  'Recurring payments that customers agreed to',
  'At the price of a regular payment',
  'Interval between payments',
  'Payments in the plan',
  'Most per payment',
  'Most in total',
  'E-mail of the paying account',
  'Sales by utm_source',
  'What came back',
  'Id or e-mail',
  'No sale of yours begins with',
  'Sales that begin with',
  'Last day (optional)',
  'requests in 1',
  'Show its key to use it',
  'From now on',
  'Last taken',
  'The test was not taken',
  'The old one signs as well',
  'Add a mirror',
  'Mirror of',
  'It has other names for some fields',
  'Its word for',
  'Details waiting',
  'Missing there',
  'Everything read',
  'Reload the progress',
  'your password alone signs you in',
  'A stolen password alone opens nothing',
  'Is the clock of your phone right',
  'Each signs you in once',
  'Look into your mailbox',
  'among unwanted mail',
  'If somebody signs in with this e-mail',
  'Back to the account',
];

const PAGES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => ({ file, text: textOf(join('src', file)) }));

it.each(OLD)('no page says “%s”', (phrase) => {
  const found = PAGES.filter(({ text }) => text.includes(phrase)).map(({ file }) => file);
  expect(found).toEqual([]);
});

it('finds phrases across the lines of a file', () => {
  expect(textOf('src/platform/pages/frame/layout.view.tsx')).toContain(
    'All days and times are UTC.',
  );
});

/** Returns the text of a file with single spaces in place of line breaks. */
function textOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
}
