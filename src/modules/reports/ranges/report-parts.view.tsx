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

/** A link to a list as a file. */
type DownloadLink = readonly [format: string, path: string];

const CSV = [['CSV', 'csv']] as const;
const ALL_FORMATS = [...CSV, ['NDJSON', 'ndjson'], ['Parquet', 'parquet']] as const;

/**
 * Returns the downloads of a list of transactions: all formats for a vendor, CSV for an affiliate.
 */
export function downloadsOf(
  query: ReportQuery,
  role: Role,
  filter: Readonly<Record<string, string>> = {},
): DownloadLink[] {
  const formats = role === 'vendor' ? ALL_FORMATS : CSV;
  const path = (format: string) => addressOf(`${LIST_PATH}.${format}`, { ...query, role }, filter);
  return formats.map(([label, format]) => [label, path(format)]);
}

export function Downloads({ links }: { readonly links: readonly DownloadLink[] }) {
  return (
    <>
      {links.map(([format, path]) => (
        <a class="button quiet" href={path}>
          Download as {format}
        </a>
      ))}
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
