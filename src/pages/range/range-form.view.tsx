import type { ComponentChildren } from 'preact';
import type { DayRange } from '../../modules/reports/report.model.js';
import { Tabs } from '../ui/facts.view.js';
import { ChoiceForm, Fields } from '../ui/form.view.js';
import { addressOf, PRESETS, type ReportQuery } from './report-query.js';

interface Properties {
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
export function RangeForm({ path, query, range, more = {}, hidden = more, children }: Properties) {
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
