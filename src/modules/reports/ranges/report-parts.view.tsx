import type { ComponentChildren } from 'preact';
import type { TopItem } from '../report.model.js';
import { LIST_PATH } from '../../../platform/pages/paths.js';
import { Panel } from '../../../platform/pages/ui/facts.view.js';
import {
  amounts,
  type Column,
  counts,
  linked,
  Table,
} from '../../../platform/pages/ui/table.view.js';
import { addressOf, type ReportQuery, type Role } from './report-query.js';
import { changeColumns } from './what-changed.view.js';

interface FileProperties {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly filter?: Readonly<Record<string, string>>;
}

/** Returns the address of a list of transactions as a file. */
export function fileAddress(
  query: ReportQuery,
  role: Role,
  format: 'csv' | 'ndjson' | 'parquet',
  filter: Readonly<Record<string, string>> = {},
): string {
  return addressOf(`${LIST_PATH}.${format}`, { ...query, role }, filter);
}

/** Offers a list of transactions in the formats for programs, which only a vendor has. */
export function OtherFiles({ query, role, filter }: FileProperties) {
  return (
    <>
      <a class="button quiet" href={fileAddress(query, role, 'ndjson', filter)}>
        Download as NDJSON
      </a>
      <a class="button quiet" href={fileAddress(query, role, 'parquet', filter)}>
        Download as Parquet
      </a>
    </>
  );
}

/** Shows the products or partners of a top list. */
export function TopItems({
  id,
  title,
  items,
  nameOf,
  listOf,
  net,
}: {
  readonly id: string;
  readonly title: string;
  readonly items: readonly TopItem[];
  readonly nameOf: (item: TopItem) => ComponentChildren;
  /** Returns the address of the sales of an item. */
  readonly listOf?: (item: TopItem) => string;
  /** Name of the column of what the viewer keeps. */
  readonly net: string;
}) {
  const columns: Column<TopItem>[] = [
    { name: 'Name', cell: nameOf },
    linked(
      counts('Sales', ({ sales }) => sales),
      (item) => listOf?.(item),
    ),
    amounts('Gross', ({ gross }) => gross),
    counts('Refunds', ({ refunds }) => refunds),
    amounts(net, (item) => item.net),
    ...changeColumns(items),
  ];
  return (
    <Panel id={id} title={title}>
      {items.length === 0 ? (
        <p class="empty">No sales in this period.</p>
      ) : (
        <Table label={title} columns={columns} rows={items} />
      )}
    </Panel>
  );
}
