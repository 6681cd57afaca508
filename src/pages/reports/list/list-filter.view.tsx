import { REPORT_KINDS, type ReportKind } from '../../../modules/reports/lists/report-list.model.js';
import { Field, type FormProblem } from '../../ui/form.view.js';
import { isolatedText } from '../../ui/isolated-text.js';
import { Select } from '../../ui/select.view.js';
import { FILTER_FIELDS, STATUSES, type FilterField, type ListFilter } from './list-filter.js';
import type { FilterNames } from './filter-names.js';
import { addressOf, type ReportQuery, type Role } from '../report-query.js';

export const LIST_PATH = '/account/reports/transactions';

export const LIST_TITLES: Readonly<Record<ReportKind, string>> = {
  all: 'Transactions',
  sales: 'Sales',
  pending: 'Pending transactions',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
};

export interface ShownFilter {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly filter: ListFilter;
  readonly problems?: readonly FormProblem[];
  readonly names?: FilterNames;
}

const AMOUNT = { inputMode: 'decimal', maxLength: 17 } as const;
const ID = { inputMode: 'numeric', maxLength: 16 } as const;

/**
 * Shows the filters of a list: those in use, each with a link that removes it, and a form for all
 * of them.
 */
export function ListFilters(shown: ShownFilter) {
  const { filter, problems = [] } = shown;
  return (
    <>
      <Chips {...shown} />
      <details class="card" open={problems.length > 0}>
        <summary>{Object.keys(filter).length === 0 ? 'Filter' : 'Change the filter'}</summary>
        <FilterForm {...shown} />
      </details>
    </>
  );
}

function FilterForm({ query, role, filter, problems = [], names }: ShownFilter) {
  const of = (name: FilterField) => ({
    name,
    label: nameOf(name, role),
    problems,
    value: filter[name] ?? '',
  });
  const chosen = (name: FilterField) => {
    const { value, ...field } = of(name);
    return { ...field, chosen: value };
  };
  return (
    <form class="choose" action={LIST_PATH} aria-label="Filter">
      <Kept query={query} role={role} />
      <Select {...chosen('kind')} options={REPORT_KINDS} names={LIST_TITLES} />
      <Select
        {...chosen('status')}
        options={['', ...STATUSES.keys()]}
        names={{
          '': 'Any',
          ...Object.fromEntries([...STATUSES.keys()].map((word) => [word, word])),
        }}
      />
      <Field {...of('product')} {...ID} {...choicesFrom('product', names)} />
      <Field {...of('partner')} {...ID} {...choicesFrom('partner', names)} />
      <Field {...of('amount_from')} {...AMOUNT} />
      <Field {...of('amount_to')} {...AMOUNT} />
      <Field {...of('tid')} autocomplete="off" />
      <button>Filter</button>
      {names !== undefined && <Choices names={names} />}
    </form>
  );
}

type Named = keyof FilterNames;

/** Offers the ids of the list with their names, for users who know only a name. */
function choicesFrom(field: Named, names: FilterNames | undefined) {
  return names === undefined || names[field].size === 0 ? {} : { list: `ids-${field}` };
}

function Choices({ names }: { readonly names: FilterNames }) {
  return (
    <>
      {(['product', 'partner'] as const).map((field) => (
        <datalist id={`ids-${field}`}>
          {Array.from(names[field], ([id, name]) => (
            <option value={id} label={name === '' ? undefined : `${isolatedText(name)} (${id})`} />
          ))}
        </datalist>
      ))}
    </>
  );
}

/** Keeps the range and the day on which refunds count. */
function Kept({ query, role }: Pick<ShownFilter, 'query' | 'role'>) {
  const [, search = ''] = addressOf(LIST_PATH, { ...query, role }).split('?');
  return (
    <>
      {Array.from(new URLSearchParams(search), ([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

function Chips({ query, role, filter, names }: ShownFilter) {
  const used = FILTER_FIELDS.filter((name) => filter[name] !== undefined);
  if (used.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters in use">
      {used.map((name) => {
        const { [name]: value = '', ...others } = filter;
        const [field, words] = [nameOf(name, role), wordsOf(name, value, names)];
        return (
          <li>
            <a
              href={addressOf(LIST_PATH, { ...query, role }, others)}
              aria-label={`Remove the filter ${field}: ${words}`}
            >
              {field}: {words} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf(field: FilterField, value: string, names: FilterNames | undefined): string {
  if (field === 'kind') return titleOf(value);
  const name = field === 'product' || field === 'partner' ? names?.[field].get(value.trim()) : '';
  return name ? `${value}, ${isolatedText(name)}` : value;
}

/**
 * Returns the title of a list; for an unknown list the text itself, and the form reports the
 * problem.
 */
function titleOf(kind: string): string {
  return new Map<string, string>(Object.entries(LIST_TITLES)).get(kind) ?? kind;
}

function nameOf(field: FilterField, role: Role): string {
  return {
    kind: 'List',
    status: 'Status',
    product: 'Product id',
    partner: role === 'vendor' ? 'Affiliate id' : 'Vendor id',
    amount_from: 'Amount from',
    amount_to: 'Amount to',
    tid: 'Tracking id (tid)',
  }[field];
}
