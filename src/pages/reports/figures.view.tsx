import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { formatCents, formatDecimal } from '../../common/money.js';
import { Currency, withCurrency } from '../ui/currency.js';

const THOUSANDS = new Intl.NumberFormat('en-US');

/** Shows cents as `12,345.67`, with the currency if the operator has set one. */
export function Money({ cents }: { readonly cents: number | bigint }) {
  return <span class="money">{withCurrency(moneyText(cents), useContext(Currency))}</span>;
}

export function moneyText(cents: number | bigint): string {
  return grouped(formatCents(cents));
}

export function numberText(count: number | bigint | string): string {
  return grouped(String(count));
}

/** @param rate in hundredths of a percent */
export function percentText(rate: bigint): string {
  return `${formatDecimal(rate, 2)} %`;
}

/**
 * Shows a figure of a report.
 * @param href address of the transactions behind the figure
 * @param change how it differs from the compared range
 */
export function Figure({
  name,
  href,
  note,
  change = null,
  children,
}: {
  readonly name: string;
  readonly href?: string | undefined;
  readonly note?: ComponentChildren;
  readonly change?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        {href === undefined ? children : <a href={href}>{children}</a>}
        {note !== undefined && <span class="note">{note}</span>}
        {change !== null && <span class="note change">{change}</span>}
      </dd>
    </div>
  );
}

function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const thousands = THOUSANDS.format(BigInt(whole.slice(sign.length)));
  return `${sign}${thousands}${fraction === undefined ? '' : `.${fraction}`}`;
}
