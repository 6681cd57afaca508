import { type FiguresMeta, JsonResults } from '../../../../api/envelope/envelope.js';
import type { Column } from '../../../../platform/files/csv.js';
import { formatCents, formatDecimal, RATE_PLACES } from '../../../../platform/values/money.js';
import {
  isValueField,
  numberOfItems,
  type FigureAnswer,
  type FigureInterval,
  type FigureRequest,
  type GroupFigures,
} from '../figure.model.js';
import {
  type Counts,
  type FigureValues,
  isInItems,
  measureOf,
  type MeasureName,
  NO_COUNTS,
} from '../measures.js';

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

/** Writes the items of figures as JSON text, because an answer may have 10,000 of them. */
class FigureResults extends JsonResults {
  readonly count: number;
  readonly byteLength: number;
  private readonly bytes: Buffer;

  constructor(request: FigureRequest, answer: FigureAnswer) {
    super();
    this.count = numberOfItems(answer);
    this.bytes = Buffer.from(itemsJson(request, answer));
    this.byteLength = this.bytes.length;
  }

  writeTo(target: Buffer, position: number): number {
    return position + this.bytes.copy(target, position);
  }
}

function itemsJson(
  { measures, group, comparison }: FigureRequest,
  { groups, intervals }: FigureAnswer,
): string {
  const write = measuresWriter(measures);
  const ranges = intervals.map((interval) => JSON.stringify(shownInterval(interval)));
  const items = groups.flatMap((each) => {
    const ofGroup = JSON.stringify(shownGroup(each, group));
    return ranges.map((range, index) => {
      const compared =
        comparison === 'none' ? '' : `,"compared":${write(each.compared?.[index] ?? null)}`;
      const own = write(each.counts[index] ?? NO_COUNTS);
      return `{"group":${ofGroup},"interval":${range},"measures":${own}${compared}}`;
    });
  });
  return items.join(',');
}

/** Returns a function that writes the measures of counts as JSON. */
function measuresWriter(measures: readonly MeasureName[]) {
  const properties = measures.flatMap((name) => {
    const { of } = measureOf(name);
    return of === undefined ? [] : [{ name, of }];
  });
  const write = (counts: Readonly<Counts>) => {
    const values = properties.map(({ name, of }) => {
      const value = shown(name, of(counts));
      return typeof value === 'number' ? `"${name}":${value}` : `"${name}":"${value}"`;
    });
    return `{${values.join(',')}}`;
  };
  const nothing = write(NO_COUNTS);
  return (counts: Readonly<Counts> | null) => {
    if (counts === null) return 'null';
    return counts === NO_COUNTS ? nothing : write(counts);
  };
}

export function presentFigures(request: FigureRequest, answer: FigureAnswer) {
  const { measures } = request;
  const valuesOf = (values: FigureValues | null) => values && shownValues(values, measures);
  const meta: FiguresMeta = {
    cursor: answer.state === null ? null : String(answer.state.cursor),
    range: answer.range,
    compared_range: answer.comparedRange,
    totals: shownValues(answer.totals, measures),
    compared_totals: valuesOf(answer.comparedTotals),
    groups_left_out: valuesOf(answer.leftOut),
  };
  return { results: new FigureResults(request, answer), meta };
}

function shownGroup({ key, name }: GroupFigures, by: FigureRequest['group']) {
  if (by === null) return null;
  return isValueField(by) ? { value: key } : { id: key, name };
}

function shownInterval(interval: FigureInterval | null) {
  if (interval === null) return null;
  const { start_date, end_date, isPartial } = interval;
  return { start_date, end_date, partial: isPartial };
}

/** The figures of one group in one interval, as a row of the CSV file. */
interface FigureItem {
  readonly group: GroupFigures;
  readonly interval: FigureInterval | null;
  readonly counts: Readonly<Counts>;
  /** Null if nothing is compared, or if no days correspond to the interval. */
  readonly compared: Readonly<Counts> | null;
}

/** Returns the rows of the CSV file, those of each group together. */
export function* figureRows({ groups, intervals }: FigureAnswer): Generator<FigureItem[]> {
  for (const group of groups) {
    yield intervals.map((interval, index) => ({
      group,
      interval,
      counts: group.counts[index] ?? NO_COUNTS,
      compared: group.compared?.[index] ?? null,
    }));
  }
}

/** Returns the columns of the CSV file, for programs. */
export function figureColumns({ measures, group, interval, comparison }: FigureRequest) {
  const columns: Column<FigureItem>[] = [];
  if (group !== null) {
    const textOf = ({ group: { key } }: FigureItem) => (key === null ? null : String(key));
    columns.push({
      name: isValueField(group) ? group : `${group}_id`,
      kind: 'text',
      valueOf: textOf,
    });
    if (!isValueField(group)) {
      const nameOf = ({ group: { name } }: FigureItem) => name;
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
  columns.push(...ofItem.map((name) => measureColumn(name, name, ({ counts }) => counts)));
  if (comparison === 'none') return columns;
  return [
    ...columns,
    ...ofItem.map((name) => measureColumn(name, `compared_${name}`, ({ compared }) => compared)),
  ];
}

function measureColumn(
  measure: MeasureName,
  name: string,
  countsOf: (item: FigureItem) => Readonly<Counts> | null,
): Column<FigureItem> {
  const valueOf = (item: FigureItem) => {
    const counts = countsOf(item);
    const value = counts === null ? undefined : measureOf(measure).of?.(counts);
    return value === undefined ? null : String(shown(measure, value));
  };
  return { name, kind: 'word', valueOf };
}
