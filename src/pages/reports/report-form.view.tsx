import { Field, type FormProblem } from '../ui/form.view.js';
import { Select } from '../ui/select.view.js';
import {
  COMPARISONS,
  PERIOD_STEPS,
  type Comparison,
  type PeriodStep,
} from '../../modules/reports/report.model.js';
import { addressOf, PRESETS, ROLES, type Role, type ReportQuery } from './report-query.js';

const PATH = '/account/reports';
const ROLE_NAMES: Readonly<Record<Role, string>> = {
  vendor: 'Sales of my products',
  affiliate: 'Sales I made as an affiliate',
};
const STEP_NAMES: Readonly<Record<PeriodStep, string>> = {
  day: 'By day',
  week: 'By week',
  month: 'By month',
  year: 'By year',
};
const COMPARISON_NAMES: Readonly<Record<Comparison, string>> = {
  none: 'Nothing',
  previous: 'Previous period',
  year: 'Previous year',
};

interface Properties {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly from: string;
  readonly to: string;
  readonly by: PeriodStep;
  readonly problems?: readonly FormProblem[];
}

export function ReportForm({ query, role, from, to, by, problems = [] }: Properties) {
  return (
    <>
      <Roles query={query} role={role} />
      <Ranges query={query} />
      <form class="choose card" action={PATH} aria-label="Range and refunds">
        <input type="hidden" name="as" value={role} />
        <Field
          label="First day"
          name="from"
          type="date"
          value={from}
          problems={problems}
          required
        />
        <Field label="Last day" name="to" type="date" value={to} problems={problems} required />
        <Select label="Chart" name="by" options={PERIOD_STEPS} names={STEP_NAMES} chosen={by} />
        <Select
          label="Compare with"
          name="compare"
          options={COMPARISONS}
          names={COMPARISON_NAMES}
          chosen={query.comparison}
        />
        <Attributions query={query} />
        <button>Show</button>
      </form>
    </>
  );
}

export function Attributions({ query }: Pick<Properties, 'query'>) {
  return (
    <fieldset>
      <legend>Refunds and chargebacks count on</legend>
      <Choice query={query} value="refund" words="the day of the refund" />
      <Choice query={query} value="sale" words="the day of the sale" />
    </fieldset>
  );
}

function Choice({
  query,
  value,
  words,
}: {
  readonly query: ReportQuery;
  readonly value: ReportQuery['attribution'];
  readonly words: string;
}) {
  return (
    <label class="choice">
      <input type="radio" name="refunds" value={value} checked={query.attribution === value} />{' '}
      {words}
    </label>
  );
}

function Roles({ query, role }: Pick<Properties, 'query' | 'role'>) {
  return (
    <nav class="tabs" aria-label="Whose sales">
      {ROLES.map((each) => (
        <a
          href={addressOf(PATH, { ...query, role: each })}
          aria-current={each === role ? 'page' : undefined}
        >
          {ROLE_NAMES[each]}
        </a>
      ))}
    </nav>
  );
}

export function Ranges({
  query,
  path = PATH,
  more = {},
}: Pick<Properties, 'query'> & {
  readonly path?: string;
  /** Other parameters of the links. */
  readonly more?: Readonly<Record<string, string>>;
}) {
  const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
  return (
    <nav class="tabs" aria-label="Range">
      {presets.map((preset) => (
        <a
          href={addressOf(path, { ...query, preset, by: null }, more)}
          aria-current={preset === query.preset ? 'page' : undefined}
        >
          {PRESETS[preset]}
        </a>
      ))}
    </nav>
  );
}
