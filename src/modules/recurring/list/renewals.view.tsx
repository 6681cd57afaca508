import { useContext } from 'preact/hooks';
import { SUBSCRIPTIONS_PATH, withQuery } from '../../../platform/pages/paths.js';
import { dayText, shortDayText } from '../../../platform/pages/ui/day-text.js';
import { Panel } from '../../../platform/pages/ui/facts.view.js';
import { Bars, Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import {
  amounts,
  type Column,
  counts as countColumn,
  Table,
} from '../../../platform/pages/ui/table.view.js';
import {
  countText,
  Currency,
  Money,
  numberText,
  withCurrency,
} from '../../../platform/pages/ui/values.view.js';
import { formatCents } from '../../../platform/values/money.js';
import { daysAfter, todayInUtc } from '../../../platform/values/time.js';
import {
  type Due,
  type DueOnDay,
  MAX_NEW,
  type RecurringOverview,
  type UpcomingPayments,
} from './recurring-list.model.js';
import { UPCOMING_DAYS } from './recurring-lists.service.js';

/** Bars are drawn in whole units of the currency. */
const CENTS = 100;

/** Shows the number of subscriptions, and the payments of active ones in the next 30 days. */
export function Renewals({ upcoming, counts, created }: RecurringOverview) {
  const { total, overdue } = upcoming;
  return (
    <>
      <Figures label="Subscriptions" isBig>
        <Figure name="Active" note={`${newText(created)}${lateText(overdue)}`}>
          {numberText(counts.active)}
        </Figure>
        <Figure name="Due in the next 30 days" note={countText(total.agreements, 'payment')}>
          <Money cents={total.amount} />
        </Figure>
        {overdue.agreements > 0 && (
          <Figure
            name="Overdue"
            note={<a href={duePath('late')}>{countText(overdue.agreements, 'late payment')}</a>}
          >
            <Money cents={overdue.amount} />
          </Figure>
        )}
      </Figures>
      {upcoming.days.length > 0 && <Days {...upcoming} />}
    </>
  );
}

function newText(created: number): string {
  return `${numberText(created)}${created === MAX_NEW ? ' or more' : ''} new in 30 days`;
}

/** Says how many of the active subscriptions are late; empty without any. */
function lateText({ agreements: late }: Due): string {
  return late === 0 ? '' : `, ${numberText(late)} late`;
}

function Days({ days }: UpcomingPayments) {
  const currency = useContext(Currency);
  const byDay = new Map(days.map((due) => [due.day, due]));
  const today = todayInUtc();
  const bars = Array.from({ length: UPCOMING_DAYS }, (_, at) => {
    const day = daysAfter(today, at);
    const { agreements: count, amount } = byDay.get(day) ?? { agreements: 0, amount: 0n };
    const money = withCurrency(numberText(formatCents(amount)), currency);
    return {
      label: at === 0 ? 'Today' : shortDayText(day),
      value: Number(amount) / CENTS,
      title: `${shortDayText(day)}: ${countText(count, 'payment')}, ${money}`,
      href: count === 0 ? null : duePath(day),
    };
  });
  return (
    <Panel id="upcoming-title" title="Due on each day">
      <Bars
        label="Amount due by day"
        bars={bars}
        textOf={(value) => withCurrency(numberText(value), currency)}
      />
      <details>
        <summary>Data table</summary>
        <p class="hint">One payment per subscription, at its regular price.</p>
        <Table label="Next payments by day" columns={DAY_COLUMNS} rows={days} />
      </details>
    </Panel>
  );
}

const DAY_COLUMNS: readonly Column<DueOnDay>[] = [
  { name: 'Day', cell: ({ day }) => <a href={duePath(day)}>{dayText(day)}</a> },
  countColumn('Payments', ({ agreements }) => agreements),
  amounts('Total', ({ amount }) => amount),
];

/** Returns the address of the list of the payments of a day, or of the late ones. */
function duePath(due: string): string {
  return withQuery(SUBSCRIPTIONS_PATH, { list: 'active', due });
}
