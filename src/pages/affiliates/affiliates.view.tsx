import {
  ORDERS,
  type AffiliateTable,
} from '../../modules/reports/affiliates/affiliate-figures.model.js';
import type { DayRange } from '../../modules/reports/report.model.js';
import type { Page } from '../http/page-answer.js';
import { Downloads } from '../reports/downloads.view.js';
import { numberText } from '../reports/figures.view.js';
import { Labelled, type FormProblem } from '../ui/form.view.js';
import { FIGURE_COLUMNS } from './affiliate-columns.js';
import { PageLinks } from '../ui/page-links.view.js';
import { AffiliatesTable } from './affiliates-table.view.js';
import { AFFILIATES_PATH, tableAddress, type AffiliatesQuery } from './affiliates-query.js';
import { RangeForm, RangeNote, UnpaidNote } from './range-form.view.js';

const ORDER_NAMES = { desc: 'Highest first', asc: 'Lowest first' } as const;

export interface ShownAffiliates {
  readonly query: AffiliatesQuery;
  readonly range: DayRange;
  readonly table: AffiliateTable;
}

export function affiliatesPage({ query, range, table }: ShownAffiliates): Page {
  const { report, sort, order } = query;
  const [from, to] = [range.start_date, range.end_date];
  const csv = tableAddress({ ...query, page: 1 }, `${AFFILIATES_PATH}.csv`);
  return {
    kind: 'page',
    title: 'Affiliates',
    isWide: true,
    view: (
      <>
        <h1>Affiliates</h1>
        <RangeForm
          path={AFFILIATES_PATH}
          query={report}
          from={from}
          to={to}
          more={{ sort, order }}
        />
        <RangeNote query={report} from={from} to={to} />
        <p>
          All affiliates with a relationship to one of your products, and those with sales, returns
          or clicks in this range or with unpaid commissions. The commission is net of refunds and
          chargebacks. Rates are refunds and chargebacks per sale; conversion is sales per unique
          click, where clicks are known.
        </p>
        <UnpaidNote />
        {table.count === 0 ? (
          <p class="empty">You have no affiliates.</p>
        ) : (
          <>
            <p>
              <strong>{numberText(table.count)}</strong>{' '}
              {table.count === 1 ? 'affiliate' : 'affiliates'}
              <Downloads links={[{ label: 'CSV', path: csv }]} />
            </p>
            <div class="affiliates-frame">
              <SortForm query={query} from={from} to={to} />
              <AffiliatesTable query={query} table={table} />
            </div>
            <PageLinks
              page={table.page}
              pages={table.pages}
              to={(page) => tableAddress({ ...query, page })}
            />
          </>
        )}
      </>
    ),
  };
}

/** Shows the form with its problems if the input is not a valid range. */
export function invalidAffiliatesPage(
  { report, sort, order }: AffiliatesQuery,
  problems: readonly FormProblem[],
): Page {
  const { from, to } = report;
  return {
    kind: 'page',
    title: 'Affiliates',
    isWide: true,
    failure: 'invalid_parameters',
    view: (
      <>
        <h1>Affiliates</h1>
        <RangeForm
          path={AFFILIATES_PATH}
          query={report}
          from={from}
          to={to}
          problems={problems}
          more={{ sort, order }}
        />
      </>
    ),
  };
}

/** Sorts the table on a screen that is too narrow for its header. */
function SortForm({
  query,
  from,
  to,
}: {
  readonly query: AffiliatesQuery;
  readonly from: string;
  readonly to: string;
}) {
  const { preset, attribution } = query.report;
  const range = preset === null ? { from, to } : { range: preset };
  const kept = Object.entries({ ...range, refunds: attribution });
  const sorts = [{ sort: 'name', name: 'Affiliate' }, ...FIGURE_COLUMNS];
  return (
    <form class="choose card sort" action={AFFILIATES_PATH} aria-label="Order">
      {kept.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Labelled
        label="Sort by"
        name="sort"
        control={(attributes) => (
          <select {...attributes}>
            {sorts.map(({ sort, name }) => (
              <option value={sort} selected={sort === query.sort}>
                {name}
              </option>
            ))}
          </select>
        )}
      />
      <Labelled
        label="Order"
        name="order"
        control={(attributes) => (
          <select {...attributes}>
            {ORDERS.map((order) => (
              <option value={order} selected={order === query.order}>
                {ORDER_NAMES[order]}
              </option>
            ))}
          </select>
        )}
      />
      <button>Sort</button>
    </form>
  );
}
