import type { ComponentChildren } from 'preact';
import type { DayRange, TopItem } from '../report.model.js';
import { LIST_PATH } from '../../../platform/pages/paths.js';
import { Panel, Tabs } from '../../../platform/pages/ui/facts.view.js';
import { ChoiceForm, Fields } from '../../../platform/pages/ui/form.view.js';
import { amounts, type Column, counts, Table } from '../../../platform/pages/ui/table.view.js';
import { addressOf, PRESETS, type ReportQuery, type Role } from './report-query.js';
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
        <>
          {' '}
          <a class="button quiet" href={path}>
            Download as {format}
          </a>
        </>
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
  net,
}: {
  readonly id: string;
  readonly title: string;
  readonly items: readonly TopItem[];
  readonly nameOf: (item: TopItem) => ComponentChildren;
  /** Name of the column of what the viewer keeps. */
  readonly net: string;
}) {
  const columns: Column<TopItem>[] = [
    { name: 'Name', cell: nameOf },
    counts('Sales', ({ sales }) => sales),
    amounts('Gross', ({ gross }) => gross),
    counts('Refunds', ({ refunds }) => refunds),
    amounts(net, (item) => item.net),
    ...changeColumns(items),
  ];
  return (
    <Panel id={id} title={title}>
      {items.length === 0 ? (
        <p>Nothing in this range.</p>
      ) : (
        <Table label={title} columns={columns} rows={items} />
      )}
    </Panel>
  );
}

interface FormProperties {
  readonly path: string;
  readonly query: ReportQuery;
  /** Null if the input is not a valid range; the form then shows the input. */
  readonly range: DayRange | null;
  /** Other parameters that the links keep. */
  readonly more?: Readonly<Record<string, string>>;
  /** Other parameters that the form keeps. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** Chooses the range of a report, and the day on which refunds count. */
export function RangeForm({
  path,
  query,
  range,
  more = {},
  hidden = more,
  children,
}: FormProperties) {
  const { start_date, end_date } = range ?? { start_date: query.from, end_date: query.to };
  return (
    <>
      <Tabs
        label="Range"
        tabs={PRESETS.map(([value, label]) => [value, label])}
        current={query.preset}
        to={(preset) => addressOf(path, { ...query, preset, by: null }, more)}
      />
      <ChoiceForm action={path} label="Range and refunds" hidden={hidden}>
        <Fields
          fields={[
            { label: 'First day', name: 'from', type: 'date', value: start_date, required: true },
            { label: 'Last day', name: 'to', type: 'date', value: end_date, required: true },
          ]}
        />
        {children}
        <fieldset>
          <legend>Refunds and chargebacks count on</legend>
          {(['refund', 'sale'] as const).map((value) => (
            <label class="choice">
              <input
                type="radio"
                name="refunds"
                value={value}
                checked={query.attribution === value}
              />{' '}
              the day of the {value}
            </label>
          ))}
        </fieldset>
        <button>Show</button>
      </ChoiceForm>
    </>
  );
}

/** Describes the shown range in words. */
export function RangeNote({
  query: { attribution },
  range: { start_date, end_date },
}: {
  readonly query: ReportQuery;
  readonly range: DayRange;
}) {
  return (
    <>
      Whole days in UTC, from <strong>{start_date}</strong> through <strong>{end_date}</strong>.
      Refunds and chargebacks count on the day of the {attribution}.
    </>
  );
}
