import type { ComponentChildren } from 'preact';
import { PageLinks } from '../../../platform/pages/ui/facts.view.js';
import { Share } from '../../../platform/pages/ui/figures.view.js';
import {
  amounts,
  type Column,
  counts,
  linked,
  numbers,
  Table,
} from '../../../platform/pages/ui/table.view.js';
import {
  countText,
  Money,
  numberText,
  percentText,
} from '../../../platform/pages/ui/values.view.js';
import { formatDecimal, quotient } from '../../../platform/values/money.js';
import type { ValueField } from '../figures/figure.model.js';
import { FIELD_NAMES } from '../ranges/report-filter.js';
import type { Figures } from '../report.model.js';
import { TOP_VALUES, type TrackingReport } from './tracking-report.model.js';

/** Number of lines on a page. Rendering more would take longer than adding up the sums. */
const PAGE_SIZE = 100;

/** A line of the table and of the CSV file. */
export interface Line {
  readonly line: 'value' | 'other' | 'none' | 'total';
  /** Empty if the line does not stand for a single value. */
  readonly value: string;
  readonly figures: Figures;
}

/** Returns the lines of the values, then those of all other sales, without the total. */
export function linesOf({ lines, other, none }: TrackingReport): Line[] {
  const rows = lines.map(({ value, figures }): Line => ({ line: 'value', value, figures }));
  if (other !== null) rows.push({ line: 'other', value: '', figures: other });
  if (none !== null) rows.push({ line: 'none', value: '', figures: none });
  return rows;
}

interface LineTableProperties {
  readonly label: string;
  /** Form that sorts the rows on a narrow screen. */
  readonly sorting: ComponentChildren;
  readonly columns: readonly Column<Line>[];
  readonly report: TrackingReport;
  /** Page number, starting at 1. */
  readonly page: number;
  /** Returns the address of a page. */
  readonly to: (page: number) => string;
}

/** Shows a page of values. All other values together and the total are on each page. */
export function LineTable({
  label,
  sorting,
  columns,
  report,
  page: asked,
  to,
}: LineTableProperties) {
  const all = linesOf(report);
  const values = report.lines.length;
  const pages = Math.max(1, Math.ceil(values / PAGE_SIZE));
  const page = Math.min(asked, pages);
  const end = Math.min(page * PAGE_SIZE, values);
  return (
    <>
      <Table
        label={label}
        sorting={sorting}
        columns={columns}
        rows={[...all.slice((page - 1) * PAGE_SIZE, end), ...all.slice(values)]}
        total={{ line: 'total', value: '', figures: report.total }}
      />
      <PageLinks page={page} pages={pages} to={to} />
    </>
  );
}

/** Names of lines that do not stand for a single value. */
const NAMES = { other: 'Other', total: 'Total' } as const;

/** Names the line of the sales without a value, such as `No source`. */
function noneName(field: ValueField): string {
  return `No ${FIELD_NAMES[field].toLowerCase()}`;
}

/**
 * Shows the value or the name of a line. A value is in quotation marks if it begins or ends with a
 * space, since values can differ only in spaces, or if it is written like the name of another line.
 */
export function LineName({
  line: { line, value },
  field,
}: {
  readonly line: Line;
  readonly field: ValueField;
}) {
  if (line === 'total') return <strong>{NAMES.total}</strong>;
  if (line === 'none') return <em>{noneName(field)}</em>;
  if (line === 'other') {
    return (
      <em>
        {NAMES.other}
        <span class="unseen">: all further values</span>
      </em>
    );
  }
  const names: readonly string[] = [...Object.values(NAMES), noneName(field)];
  const isQuoted = /^\s|\s$/.test(value) || names.includes(value);
  return <span class="verbatim">{isQuoted ? <>“{value}”</> : value}</span>;
}

/** Returns the address of the transactions behind a cell of a line; undefined if there is none. */
type LinkOf = (line: Line) => string | undefined;

export function salesTo(to: LinkOf): Column<Line> {
  const column = counts<Line>('Sales', ({ figures }) => figures.sales);
  return { narrow: 'fact', ...linked(column, to) };
}

export function refundsTo(to: LinkOf): Column<Line> {
  const column = counts<Line>('Refunds', ({ figures }) => figures.refunds.transactions);
  return linked(column, to);
}

type SumOf = (figures: Figures) => bigint;

/** Returns a column of amounts, each as a part of the highest one; the total is no part. */
export function barsOf(name: string, sumOf: SumOf, report: TrackingReport): Column<Line> {
  const sums = linesOf(report).map(({ figures }) => sumOf(figures));
  const most = sums.reduce((high, sum) => (sum > high ? sum : high), 0n);
  return {
    ...amounts(name, ({ figures }: Line) => sumOf(figures)),
    cell: ({ line, figures }) => {
      const part = sumOf(figures);
      if (part === 0n) return '–';
      const amount = <Money cents={part} />;
      return line === 'total' ? (
        amount
      ) : (
        <Share part={part} whole={most}>
          {amount}
        </Share>
      );
    },
  };
}

function shareText(part: bigint, whole: bigint): string {
  const tenths = quotient(part * 1_000n, whole);
  return `${numberText(formatDecimal(tenths, 1))}%`;
}

/**
 * Returns a column with the share of each line of the whole sum.
 * @param of names the sum on a narrow screen
 */
export function sharesOf(of: string, sumOf: SumOf, { total }: TrackingReport): Column<Line> {
  const whole = sumOf(total);
  const isNothing = ({ figures }: Line) => sumOf(figures) === 0n || whole <= 0n;
  return {
    ...numbers<Line>('Share', (line) =>
      isNothing(line) ? '–' : shareText(sumOf(line.figures), whole),
    ),
    narrow: 'fact',
    shortName: `of ${of}`,
    // A narrow screen leaves it out where it is the whole.
    isZero: (line) => line.line === 'total' || isNothing(line),
  };
}

/** The column with the refunds per sale. */
export const REFUND_RATE: Column<Line> = {
  ...numbers('Refund rate', ({ figures }: Line) =>
    figures.sales === 0 ? '–' : percentText(figures.refund_rate),
  ),
  narrow: 'fact',
  shortName: 'refunded',
  isZero: ({ figures }) => figures.refund_rate === 0n,
};

/**
 * Says what the lines add up to.
 * @param of names the sum
 */
export function Whole({
  field,
  of,
  sumOf,
  report: { lines, other, none, total },
}: {
  readonly field: ValueField;
  readonly of: string;
  readonly sumOf: SumOf;
  readonly report: TrackingReport;
}) {
  if (total.sales === 0) return null;
  // A value that was only refunded in the period has no line.
  const isCut = other !== null && other.sales > 0;
  const name = FIELD_NAMES[field].toLowerCase();
  const without = none?.sales ?? 0;
  return (
    <p class="lead">
      <Money cents={sumOf(total)} /> {of} from {countText(total.sales, 'sale')}:{' '}
      {isCut ? `more than ${numberText(lines.length)} ${name}s` : countText(lines.length, name)}
      {without > 0 && `, and ${countText(without, 'sale')} without one`}.
    </p>
  );
}

/** Explains which values do not have their own line. */
export function Bounds({ report: { mostValues, other } }: { readonly report: TrackingReport }) {
  if (other === null) return null;
  return (
    <p class="hint">
      {mostValues !== null
        ? `Only the first ${numberText(mostValues)} different values, and of these the top ${numberText(TOP_VALUES)}, have a row.`
        : `Only the top ${numberText(TOP_VALUES)} values have a row.`}{' '}
      “{NAMES.other}” is the rest.
    </p>
  );
}
