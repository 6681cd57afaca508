import type {
  AffiliateTable,
  Sort,
} from '../../modules/reports/affiliates/affiliate-figures.model.js';
import { numberText } from '../reports/figures.view.js';
import { FIGURE_COLUMNS } from './affiliate-columns.js';
import {
  affiliateAddress,
  firstOrderOf,
  tableAddress,
  type AffiliatesQuery,
} from './affiliates-query.js';

interface Properties {
  readonly query: AffiliatesQuery;
  readonly table: AffiliateTable;
}

/**
 * Shows the table of affiliates, sorted by links in its header. On a narrow screen each row is a
 * card without the header, and the form above the table sorts instead. The roles are explained in
 * ui/table.view.tsx.
 */
export function AffiliatesTable({ query, table }: Properties) {
  return (
    <div class="table affiliates" tabIndex={0} role="group" aria-label="Affiliates">
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            <SortHeader query={query} sort="name" name="Affiliate" />
            {FIGURE_COLUMNS.map(({ sort, name }) => (
              <SortHeader query={query} sort={sort} name={name} isNumber />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {table.rows.map(({ id, name, figures }) => (
            <tr role="row">
              <th scope="row" role="rowheader">
                <div class="content">
                  <a href={affiliateAddress(id, query.report)}>{name}</a>
                </div>
              </th>
              <Figures figures={figures} />
            </tr>
          ))}
        </tbody>
        <tfoot role="rowgroup">
          <tr role="row">
            <th scope="row" role="rowheader">
              <div class="content">
                {table.count === 1 ? 'Total' : `Total of ${numberText(table.count)}`}
              </div>
            </th>
            <Figures figures={table.total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Figures({ figures }: { readonly figures: AffiliateTable['total'] }) {
  return (
    <>
      {FIGURE_COLUMNS.map(({ name, cell }) => (
        <td role="cell" data-label={name} class="number">
          <div class="content">{cell(figures)}</div>
        </td>
      ))}
    </>
  );
}

/** Links to the table in the order of a column; a second click reverses the order. */
function SortHeader({
  query,
  sort,
  name,
  isNumber = false,
}: {
  readonly query: AffiliatesQuery;
  readonly sort: Sort;
  readonly name: string;
  readonly isNumber?: boolean;
}) {
  const isSorted = query.sort === sort;
  const isUp = query.order === 'asc';
  const order = isSorted ? (isUp ? 'desc' : 'asc') : firstOrderOf(sort);
  return (
    <th
      scope="col"
      role="columnheader"
      class={isNumber ? 'number' : undefined}
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      <a href={tableAddress({ ...query, sort, order, page: 1 })}>
        {name}
        {isSorted && <span aria-hidden="true"> {isUp ? '▲' : '▼'}</span>}
      </a>
    </th>
  );
}
