import { formatRecurringCursor } from '../../modules/recurring/list/recurring-cursor.model.js';
import type {
  Due,
  DueOnDay,
  UpcomingPayments,
} from '../../modules/recurring/list/recurring-list.model.js';
import { startOfDay } from '../../common/time.js';
import { Figure, Money, numberText } from '../reports/figures.view.js';
import { Table, type Column } from '../ui/table.view.js';
import { listPath } from './subscription-paths.js';

/** Shows the payments of active subscriptions that are due in the next 30 days. */
export function Upcoming({
  upcoming: { days, total, overdue },
}: {
  readonly upcoming: UpcomingPayments;
}) {
  return (
    <section class="card" aria-labelledby="upcoming-title">
      <h2 id="upcoming-title">Next payments, 30 days from today</h2>
      <dl class="figures" aria-label="Payments that are due">
        <Figure name="Due in 30 days" note={countText(total)}>
          <Money cents={total.amount} />
        </Figure>
        {overdue.agreements > 0 && (
          <Figure name="Overdue" note={`${countText(overdue)} before today`}>
            <Money cents={overdue.amount} />
          </Figure>
        )}
      </dl>
      <p>At the price of a regular payment. Payments after the next one are not included.</p>
      {days.length > 0 && (
        <details>
          <summary>By day</summary>
          <Table label="Next payments by day" columns={COLUMNS} rows={days} />
        </details>
      )}
    </section>
  );
}

const COLUMNS: readonly Column<DueOnDay>[] = [
  { name: 'Day', cell: ({ day }) => <a href={pathFrom(day)}>{day}</a> },
  { name: 'Payments', isNumber: true, cell: ({ agreements }) => numberText(agreements) },
  { name: 'Total', isNumber: true, cell: ({ amount }) => <Money cents={amount} /> },
];

/** Returns the path of the list of active subscriptions from this day. */
function pathFrom(day: string): string {
  const cursor = { direction: 'after', at: startOfDay(day), pre_key: '' } as const;
  return listPath('active', formatRecurringCursor(cursor));
}

function countText({ agreements }: Due): string {
  return `${numberText(agreements)} ${agreements === 1 ? 'payment' : 'payments'}`;
}
