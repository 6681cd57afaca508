import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatCents, formatDecimal, quotient } from '../../values/money.js';
import { formatDateTime } from '../../values/time.js';
import { dayText } from './day-text.js';

/** Value of the setting CURRENCY; empty if it is not set. */
export const Currency = createContext('');

/** Pages show this sign; files and the API have a hyphen. */
export const MINUS = '−';
const NO_BREAK_SPACE = '\u00a0';
const TO_THE_MINUTE = '2025-06-01 18:03'.length;
const THOUSANDS = new Intl.NumberFormat('en-US');

/**
 * Returns the texts on each side of an amount: `$` is written before it and after its sign, `EUR`
 * after it.
 */
export function currencyAround(label: string): { readonly before: string; readonly after: string } {
  if (/[\p{L}.]$/u.test(label)) return { before: '', after: `${NO_BREAK_SPACE}${label}` };
  return { before: label, after: '' };
}

export function withCurrency(amount: string, label: string): string {
  const { before, after } = currencyAround(label);
  const sign = amount.startsWith(MINUS) ? MINUS : '';
  return `${sign}${before}${amount.slice(sign.length)}${after}`;
}

/** Shows an amount that is text already, with the currency if the operator has set one. */
export function Amount({ text }: { readonly text: string }) {
  return <span class="money">{withCurrency(text, useContext(Currency))}</span>;
}

/** The page writes longer amounts smaller where a big one has little room. */
const USUAL_LENGTH = '1,234,567.89'.length;

/** Shows cents as `12,345.67`. */
export function Money({ cents }: { readonly cents: number | bigint }) {
  const text = numberText(formatCents(cents));
  const amount = <Amount text={text} />;
  return text.length > USUAL_LENGTH ? <span class="long">{amount}</span> : amount;
}

/** Shows cents, or a dash if the amount is unknown. */
export function moneyOrNone(cents: number | bigint | null) {
  return cents === null ? '–' : <Money cents={cents} />;
}

/** Groups the digits of a number, which may have decimal places. */
export function numberText(count: number | bigint | string): string {
  const [whole = '', fraction] = String(count).split('.');
  const sign = whole.startsWith('-') ? MINUS : '';
  const thousands = THOUSANDS.format(BigInt(whole.slice(sign.length)));
  return `${sign}${thousands}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Returns a number with its noun, such as `1 payment` or `1,234 payments`. */
export function countText(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param rate in hundredths of a percent */
export function percentText(rate: bigint): string {
  return `${numberText(formatDecimal(quotient(rate, 10n), 1))}%`;
}

interface DateTimeProperties {
  /** Null if it is unknown. */
  readonly at: string | null;
  /** Shows seconds. */
  readonly isExact?: boolean;
  /** Text in place of an unknown date-time. */
  readonly otherwise?: string;
}

/** Shows a date-time in UTC; the footer of every page says that all times are UTC. */
export function DateTime({ at, isExact = false, otherwise = '–' }: DateTimeProperties) {
  if (at === null) return <>{otherwise}</>;
  const [day = '', time] = (isExact ? at : at.slice(0, TO_THE_MINUTE)).split(' ');
  return (
    <time dateTime={formatDateTime(at)}>
      <span>{dayText(day)},</span> <span>{time}</span>
    </time>
  );
}

/** Shows the day of a date-time in UTC, whose time a pointer shows. */
export function Day({ at }: { readonly at: string | null }) {
  if (at === null) return <>–</>;
  const [day = '', time = ''] = at.slice(0, TO_THE_MINUTE).split(' ');
  return (
    <time dateTime={formatDateTime(at)} title={`${dayText(day)}, ${time} UTC`}>
      {dayText(day)}
    </time>
  );
}

/** Shows an e-mail address, which may wrap after its dots and its at sign and nowhere else. */
export function Email({ address }: { readonly address: string }) {
  return (
    <>
      {address.split(/(?<=[@.])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}
