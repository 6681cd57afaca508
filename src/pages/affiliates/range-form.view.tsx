import { Field, type FormProblem } from '../ui/form.view.js';
import { Attributions, Ranges } from '../reports/report-form.view.js';
import type { ReportQuery } from '../reports/report-query.js';

interface Properties {
  readonly path: string;
  readonly query: ReportQuery;
  readonly from: string;
  readonly to: string;
  /** Other parameters that the links and the form keep. */
  readonly more?: Readonly<Record<string, string>>;
  readonly problems?: readonly FormProblem[];
}

export function RangeForm({ path, query, from, to, more = {}, problems = [] }: Properties) {
  return (
    <>
      <Ranges query={query} path={path} more={more} />
      <form class="choose card" action={path} aria-label="Range and refunds">
        {Object.entries(more).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Field
          label="First day"
          name="from"
          type="date"
          value={from}
          problems={problems}
          required
        />
        <Field label="Last day" name="to" type="date" value={to} problems={problems} required />
        <Attributions query={query} />
        <button>Show</button>
      </form>
    </>
  );
}

/** Describes the shown range in words. */
export function RangeNote({ query, from, to }: Pick<Properties, 'query' | 'from' | 'to'>) {
  return (
    <p>
      Whole days in UTC, from <strong>{from}</strong> through <strong>{to}</strong>. Refunds and
      chargebacks count on the day of the {query.attribution}.
    </p>
  );
}

/** Explains what unpaid commissions are. */
export function UnpaidNote() {
  return (
    <p>
      Unpaid commissions are as of today, whatever the range: commissions with the status unpaid,
      after refunds and chargebacks, by the days since the sale. Pending sales are left out.
    </p>
  );
}
