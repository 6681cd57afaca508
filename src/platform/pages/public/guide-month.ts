import { endOfMonth, monthOf, monthsAfter, todayInUtc } from '../../values/time.js';
import { snippetsOf } from './snippets.view.js';

const NAME_OF_MONTH = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The first call of the guide, in curl. */
const FIRST_CALL = snippetsOf('first-call').find(({ language }) => language === 'sh')?.code ?? '';

/** Returns the first day of last month. */
export function lastMonth(): string {
  return monthsAfter(monthOf(todayInUtc()), -1);
}

/** Replaces the month in the text and the snippets of the guide, June 2025. */
export function inMonth(text: string, month: string): string {
  return text
    .replaceAll('2025-06-01', month)
    .replaceAll('2025-06-30', endOfMonth(month))
    .replaceAll('June 2025', NAME_OF_MONTH.format(new Date(month)));
}

/**
 * Returns the first call of the guide as a command, for last month.
 * @param address address of this service
 * @param key text in place of the API key
 */
export function firstCall(address: string, key: string): string {
  return inMonth(FIRST_CALL, lastMonth())
    .replace('$BASE_URL', () => address)
    .replace('$API_KEY', () => key)
    .trim();
}
