import type { ComponentChildren } from 'preact';
import { COMPARISONS, type DayRange, DEFAULT_ATTRIBUTION } from '../report.model.js';
import { ChoiceForm, Fields } from '../../../platform/pages/ui/form.view.js';
import { Menu, MenuLinks } from '../../../platform/pages/ui/menu.view.js';
import { daysAfter, todayInUtc } from '../../../platform/values/time.js';
import { COMPARISON_NAMES } from './chart.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { addressOf, PRESETS, type ReportQuery } from './report-query.js';

const ATTRIBUTION_NAMES = { refund: 'refund date', sale: 'sale date' } as const;
const BY = ['refund', 'sale'] as const;
/** Only one menu of the bar is open. */
const MENUS = 'period';

interface BarProperties {
  readonly path: string;
  readonly query: ReportQuery;
  /** Null if the input is not a valid range; the form then shows the input. */
  readonly range: DayRange | null;
  /** Range that the report is compared with; undefined for a page that compares nothing. */
  readonly compared?: DayRange | null;
  /** Other parameters that the address keeps. */
  readonly more?: Readonly<Record<string, string>>;
  /** Further options. */
  readonly children?: ComponentChildren;
}

/**
 * Chooses the period of a report in one line: presets or any days, the period to compare with, and
 * further options. On a phone, the options have the comparison, too. Its menus need no script.
 */
export function PeriodBar({ children, ...bar }: BarProperties) {
  return (
    <div class="period-bar">
      <PeriodMenu {...bar} />
      {bar.compared !== undefined && <ComparisonMenu {...bar} compared={bar.compared} />}
      <OptionsMenu {...bar}>{children}</OptionsMenu>
      {bar.range !== null && bar.compared && (
        <p class="hint phone-only">{comparedText(bar.range, bar.compared)}</p>
      )}
    </div>
  );
}

/** Says which days a page shows, where its controls are not printed. */
export function PrintedRange({
  query,
  range,
}: Pick<BarProperties, 'query'> & { readonly range: DayRange }) {
  return (
    <p class="print-only">
      {rangeText(range)} (UTC). Refunds are counted by {ATTRIBUTION_NAMES[query.attribution]}.
    </p>
  );
}

function PeriodMenu({ path, query, range, more = {} }: BarProperties) {
  const preset = PRESETS.find(([value]) => value === query.preset);
  const { start_date, end_date } = range ?? { start_date: query.from, end_date: query.to };
  const links = PRESETS.map(([value, words]) => ({
    href: addressOf(path, { ...query, preset: value, by: null }, more),
    words,
    isCurrent: value === query.preset,
  }));
  return (
    <Menu
      isButton
      name={MENUS}
      isOpen={range === null}
      summary={
        <>
          {preset?.[1] ?? 'Custom'}{' '}
          {range !== null && (
            <span>
              {periodText(range)}
              <span class="wide-only"> (UTC)</span>
            </span>
          )}
        </>
      }
    >
      <nav class="presets" aria-label="Period">
        <MenuLinks links={links} />
      </nav>
      <ChoiceForm
        class="days-form"
        action={path}
        label="Period"
        hidden={hiddenIn(path, query, more)}
      >
        <div class="days">
          <Fields
            fields={[
              { label: 'First day', name: 'from', type: 'date', value: start_date, required: true },
              { label: 'Last day', name: 'to', type: 'date', value: end_date, required: true },
            ]}
          />
        </div>
        <button>Apply</button>
      </ChoiceForm>
    </Menu>
  );
}

/** Names the days of a range until today, such as `1–28 Nov 2026 so far`. */
function periodText(range: DayRange): string {
  const today = todayInUtc();
  if (range.end_date <= today || range.start_date > today) return rangeText(range);
  return `${rangeText({ ...range, end_date: today })} so far`;
}

/** Names the compared range, and says that today is not compared if the range is not over. */
function comparedText(range: DayRange, compared: DayRange): string {
  const text = `vs ${rangeText(compared)}`;
  return daysOver(range) === null ? text : `${text}, without today`;
}

/** Returns the days of a range before today; null if the whole range is before today. */
function daysOver(range: DayRange): DayRange | null {
  const today = todayInUtc();
  return range.end_date < today ? null : { ...range, end_date: daysAfter(today, -1) };
}

/** Returns the parameters of the address without the range. */
function hiddenIn(path: string, query: ReportQuery, more: Readonly<Record<string, string>>) {
  const address = addressOf(path, { ...query, preset: null, from: '', to: '' }, more);
  const parameters = new Map(new URLSearchParams(address.split('?')[1]));
  parameters.delete('from');
  parameters.delete('to');
  return parameters;
}

type Comparing = BarProperties & { readonly compared: DayRange | null };

function ComparisonMenu(bar: Comparing) {
  const { range, compared } = bar;
  const summary =
    range === null || compared === null ? 'Compare' : <span>{comparedText(range, compared)}</span>;
  return (
    <Menu isButton name={MENUS} class="wide-only" summary={summary}>
      <Comparisons {...bar} />
    </Menu>
  );
}

/** Chooses what a report is compared with, and says why that range has other days. */
function Comparisons({ path, query, range, compared, more = {} }: Comparing) {
  const links = COMPARISONS.map((comparison) => ({
    href: addressOf(path, { ...query, comparison }, more),
    words: COMPARISON_NAMES[comparison],
    isCurrent: comparison === query.comparison,
  }));
  return (
    <>
      <nav aria-label="Compare with">
        <MenuLinks links={links} />
      </nav>
      {range !== null && compared !== null && <ComparedDays range={range} compared={compared} />}
    </>
  );
}

/** Says which days are compared if the range is not over. */
function ComparedDays({ range, compared }: Record<'range' | 'compared', DayRange>) {
  const over = daysOver(range);
  if (over === null) return null;
  return (
    <p class="menu-title">
      Today is not over, so {rangeText(over)} is compared with {rangeText(compared)}.
    </p>
  );
}

function OptionsMenu({ children, ...bar }: BarProperties) {
  const { path, query, compared, more = {} } = bar;
  const { attribution } = query;
  const address = addressOf(path, { ...query, by: null }, more);
  const hidden = new Map(new URLSearchParams(address.split('?')[1]));
  hidden.delete('refunds');
  const isUsual = attribution === DEFAULT_ATTRIBUTION;
  return (
    <Menu
      isButton
      name={MENUS}
      class="end"
      summary={
        <>
          Options{' '}
          {!isUsual && (
            <span class="wide-only">{`Refunds by ${ATTRIBUTION_NAMES[attribution]}`}</span>
          )}
        </>
      }
    >
      {compared !== undefined && (
        <div class="phone-only">
          <p class="menu-title">Compare with</p>
          <Comparisons {...bar} compared={compared} />
        </div>
      )}
      <ChoiceForm class="options" action={path} label="Options" hidden={hidden}>
        {children}
        <fieldset>
          <legend>Count refunds by</legend>
          {BY.map((value) => (
            <label class="choice">
              <input type="radio" name="refunds" value={value} checked={attribution === value} />
              {ATTRIBUTION_NAMES[value]}
            </label>
          ))}
        </fieldset>
        <button>Apply</button>
      </ChoiceForm>
    </Menu>
  );
}
