import { TRACKED_FIELDS } from '../../modules/transactions/sums/tracking/tracking.model.js';
import { PRESETS } from '../reports/report-query.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { TRACKING_PATH, trackingAddress, type TrackingQuery } from './tracking-query.js';

const ATTRIBUTION_NAMES = {
  refund: 'the day of the refund',
  sale: 'the day of the sale',
} as const;

interface Properties {
  readonly query: TrackingQuery;
  readonly from: string;
  readonly to: string;
  readonly problems?: readonly FormProblem[];
}

export function TrackingForm({ query, from, to, problems = [] }: Properties) {
  const attributions = Object.keys(ATTRIBUTION_NAMES) as (keyof typeof ATTRIBUTION_NAMES)[];
  return (
    <>
      <Fields query={query} />
      <Ranges query={query} />
      <form class="choose card" action={TRACKING_PATH} aria-label="Range and refunds">
        <input type="hidden" name="field" value={query.field} />
        <Field
          label="First day"
          name="from"
          type="date"
          value={from}
          problems={problems}
          required
        />
        <Field label="Last day" name="to" type="date" value={to} problems={problems} required />
        <fieldset>
          <legend>Refunds and chargebacks count on</legend>
          {attributions.map((each) => (
            <label class="choice">
              <input
                type="radio"
                name="refunds"
                value={each}
                checked={query.report.attribution === each}
              />{' '}
              {ATTRIBUTION_NAMES[each]}
            </label>
          ))}
        </fieldset>
        <button>Show</button>
      </form>
    </>
  );
}

function Fields({ query }: Pick<Properties, 'query'>) {
  return (
    <nav class="tabs" aria-label="Field">
      {TRACKED_FIELDS.map((field) => (
        <a
          href={trackingAddress({ ...query, field })}
          aria-current={field === query.field ? 'page' : undefined}
        >
          {field}
        </a>
      ))}
    </nav>
  );
}

function Ranges({ query }: Pick<Properties, 'query'>) {
  const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
  return (
    <nav class="tabs" aria-label="Range">
      {presets.map((preset) => (
        <a
          href={trackingAddress({ ...query, report: { ...query.report, preset } })}
          aria-current={preset === query.report.preset ? 'page' : undefined}
        >
          {PRESETS[preset]}
        </a>
      ))}
    </nav>
  );
}
