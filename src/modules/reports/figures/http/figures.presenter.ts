import type { FiguresMeta } from '../../../../api/envelope/envelope.js';
import type { Column } from '../../../../platform/files/csv.js';
import { formatCents, formatDecimal, RATE_PLACES } from '../../../../platform/values/money.js';
import {
  isTrackedField,
  type FigureAnswer,
  type FigureItem,
  type FigureRequest,
} from '../figure.model.js';
import { type FigureValues, isInItems, measureOf, type MeasureName } from '../measures.js';

type ShownValues = Readonly<Record<string, string | number>>;

function shown(name: MeasureName, value: bigint): string | number {
  const { unit } = measureOf(name);
  if (unit === 'number') return Number(value);
  return unit === 'money' ? formatCents(value) : formatDecimal(value, RATE_PLACES);
}

/** Returns values as the API shows them: money and rates as text, numbers as numbers. */
function shownValues(values: FigureValues, measures: readonly MeasureName[]): ShownValues {
  const all: Record<string, string | number> = {};
  for (const name of measures) {
    const value = values[name];
    if (value !== undefined) all[name] = shown(name, value);
  }
  return all;
}

export function presentFigures(
  { measures, group, comparison }: FigureRequest,
  answer: FigureAnswer,
) {
  const valuesOf = (values: FigureValues | null) => values && shownValues(values, measures);
  const results = answer.items.map((item) => ({
    group: shownGroup(item, group),
    interval: item.interval && {
      start_date: item.interval.start_date,
      end_date: item.interval.end_date,
      partial: item.interval.isPartial,
    },
    measures: valuesOf(item.values),
    ...(comparison === 'none' ? {} : { compared: valuesOf(item.compared) }),
  }));
  const meta: FiguresMeta = {
    cursor: answer.state === null ? null : String(answer.state.cursor),
    range: answer.range,
    compared_range: answer.comparedRange,
    totals: shownValues(answer.totals, measures),
    compared_totals: valuesOf(answer.comparedTotals),
    groups_left_out: valuesOf(answer.leftOut),
  };
  return { results, meta };
}

function shownGroup({ group }: FigureItem, by: FigureRequest['group']) {
  if (group === null) return null;
  return isTrackedField(by) ? { value: group.key } : { id: group.key, name: group.name };
}

/** Returns the columns of the CSV file, for programs. */
export function figureColumns({ measures, group, interval, comparison }: FigureRequest) {
  const columns: Column<FigureItem>[] = [];
  if (group !== null) {
    const textOf = ({ group: of }: FigureItem) => (of?.key == null ? null : String(of.key));
    columns.push({
      name: isTrackedField(group) ? group : `${group}_id`,
      kind: 'text',
      valueOf: textOf,
    });
    if (!isTrackedField(group)) {
      const nameOf = ({ group: of }: FigureItem) => of?.name ?? null;
      columns.push({ name: `${group}_name`, kind: 'text', valueOf: nameOf });
    }
  }
  if (interval !== null) {
    columns.push(
      { name: 'start_date', kind: 'word', valueOf: (item) => item.interval?.start_date ?? null },
      { name: 'end_date', kind: 'word', valueOf: (item) => item.interval?.end_date ?? null },
      { name: 'partial', kind: 'word', valueOf: (item) => String(item.interval?.isPartial) },
    );
  }
  const ofItem = measures.filter(isInItems);
  columns.push(...ofItem.map((name) => measureColumn(name, name, ({ values }) => values)));
  if (comparison === 'none') return columns;
  return [
    ...columns,
    ...ofItem.map((name) => measureColumn(name, `compared_${name}`, ({ compared }) => compared)),
  ];
}

function measureColumn(
  measure: MeasureName,
  name: string,
  of: (item: FigureItem) => FigureValues | null,
): Column<FigureItem> {
  const valueOf = (item: FigureItem) => {
    const value = of(item)?.[measure];
    return value === undefined ? null : String(shown(measure, value));
  };
  return { name, kind: 'word', valueOf };
}
