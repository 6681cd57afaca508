import type { HistoryLine } from '../../../platform/pages/ui/history.view.js';
import { Amount, numberText } from '../../../platform/pages/ui/values.view.js';
import { authorText, doneText, wordsOf } from './activity-texts.js';
import type { ActivityChange, ActivityEntry } from './activity.model.js';

/** Describes how the pages write a field that has a unit. */
interface Measured {
  readonly label: string;
  /** Words for no value. */
  readonly none: string;
  readonly unit: 'percent' | 'amount';
}

/** Fields that have a unit. Files name them without it, because they are for programs, too. */
const MEASURED: ReadonlyMap<string, Measured> = new Map([
  ['custom_commission', { label: 'Commission', none: 'product default', unit: 'percent' }],
  [
    'custom_payment_1st_payout',
    { label: 'Payout for the first payment', none: 'none', unit: 'amount' },
  ],
  [
    'custom_payment_trial_payout',
    { label: 'Payout for the trial period', none: 'none', unit: 'amount' },
  ],
]);

/**
 * Describes an entry in words.
 * @param applications names of the account's API applications, by id
 */
export function activityLine(
  entry: ActivityEntry,
  applications: ReadonlyMap<number, string>,
): HistoryLine {
  const { created, isNew, changes } = entry;
  return {
    created,
    who: authorText(entry, applications),
    what: doneText(entry),
    changes: changes.map((change) => <Change {...change} isNew={isNew} />),
  };
}

/** Shows a changed field, such as `Commission: 40% → 50%`. */
function Change({ isNew, ...change }: ActivityChange & { readonly isNew: boolean }) {
  const { label, field, before, after } = change;
  return (
    <>
      {MEASURED.get(field)?.label ?? label}: {!isNew && <Value field={field} value={before} />}
      {!isNew && ' → '}
      <Value field={field} value={after} />
    </>
  );
}

function Value({ field, value }: { readonly field: string; readonly value: string | null }) {
  const measured = MEASURED.get(field);
  if (measured === undefined) return <>{wordsOf(value, field)}</>;
  if (value === null) return <>{measured.none}</>;
  return measured.unit === 'percent' ? <>{value}%</> : <Amount text={numberText(value)} />;
}
