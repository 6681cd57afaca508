import type { ComponentChildren } from 'preact';
import type { Report, TopItem } from '../report.model.js';
import { type Column, numbers } from '../../../platform/pages/ui/table.view.js';
import { moneyOrNone, Money } from '../../../platform/pages/ui/values.view.js';
import type { Role } from './report-query.js';

/** Number of products that the list names. */
const NAMED = 3;

/** An amount of money, and the amount that it is compared with. */
export interface MoneyChange {
  readonly before: bigint;
  readonly change: bigint;
}

/** Returns columns with the compared amount and the change; none if nothing is compared. */
export function changeColumns<Row extends { readonly compared: MoneyChange | null }>(
  rows: readonly Row[],
): Column<Row>[] {
  if (rows.every(({ compared }) => compared === null)) return [];
  return [
    numbers('Before', ({ compared }) => moneyOrNone(compared?.before ?? null)),
    numbers('Change', ({ compared }) => compared && <Signed cents={compared.change} />),
  ];
}

/**
 * Says how much what the viewer keeps has changed, and lists by which products. The amounts add up
 * to the whole change. There is no list for a single product, whose change is the whole one.
 */
export function WhatChanged({
  report,
  role,
  nameOf,
  hasTitle,
}: {
  readonly report: Report;
  readonly role: Role;
  /** Shows the name of a product with a link to its report. */
  readonly nameOf: (item: TopItem) => ComponentChildren;
  readonly hasTitle: boolean;
}) {
  const { compared, figuresUntilToday, top_products } = report;
  if (compared === null) return null;
  const net = role === 'vendor' ? 'earnings' : 'commissions';
  const change = figuresUntilToday[net] - compared.figures[net];
  const named = namedIn(changesOf(top_products), change);
  const others = restOf(named, change);
  const parts = [
    ...named.map((item) => ({ name: nameOf(item.product), change: item.change })),
    { name: 'Other products', change: others },
  ].filter((part) => part.change !== 0n);
  if (parts.length < 2) return null;
  return (
    <>
      {hasTitle && <h2>What changed</h2>}
      <p>
        {role === 'vendor' ? 'Net earnings' : 'My commissions'} changed by{' '}
        <strong>
          <Signed cents={change} />
        </strong>
        :
      </p>
      <ul class="changes">
        {parts.map((part) => (
          <li>
            <span>{part.name}</span>{' '}
            <span>
              <Signed cents={part.change} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

type ItemChange = ReturnType<typeof changesOf>[number];

/** Returns the items that changed most, with a last one if it alone makes up the rest. */
function namedIn(items: readonly ItemChange[], change: bigint): readonly ItemChange[] {
  const withNext = items.slice(0, NAMED + 1);
  return restOf(withNext, change) === 0n ? withNext : items.slice(0, NAMED);
}

function restOf(items: readonly ItemChange[], change: bigint): bigint {
  return items.reduce((rest, item) => rest - item.change, change);
}

function changesOf(items: readonly TopItem[]) {
  const size = (change: bigint) => (change < 0n ? -change : change);
  return items
    .map((product) => ({ product, change: product.compared?.change ?? 0n }))
    .sort((left, right) => Number(size(right.change) - size(left.change)));
}

/**
 * Shows an amount with its sign, and in the colour of what is good if it is positive. What is taken
 * off, such as fees, is negative, so more of it is a change for the worse.
 */
export function Signed({ cents }: { readonly cents: bigint }) {
  if (cents === 0n) return <Money cents={cents} />;
  return (
    <span class={cents > 0n ? 'gain' : 'loss'}>
      {cents > 0n && '+'}
      <Money cents={cents} />
    </span>
  );
}
