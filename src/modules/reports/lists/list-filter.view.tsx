import { COMMISSION_STATUSES } from '../../../ledger/columns.js';
import { STATUSES_BY_WORD } from '../../../ledger/reads/transaction.model.js';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import { LIST_PATH, transactionPath } from '../../../platform/pages/paths.js';
import { Field, Fields, FilterForm, Select } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { oneOf } from '../../../platform/pages/visit.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { statusText } from '../../transactions/index.js';
import { FilterChips } from '../ranges/filter-chips.view.js';
import { FIELD_NAMES } from '../ranges/report-filter.js';
import { commissionStatusText } from './sales.view.js';
import { addressOf, type ReportQuery, type Role } from '../ranges/report-query.js';
import type { DayRange } from '../report.model.js';
import type { NamedField, OfferedNames } from './filter-names.service.js';
import {
  figureIn,
  FILTER_FIELDS,
  type FilterField,
  idIn,
  type ListFilter,
  trackedIn,
  without,
} from './list-filter.js';
import { FIGURES_OF_ALL, type ReportKind } from './report-list.model.js';

export const LIST_TITLES: Readonly<Record<ReportKind, string>> = {
  all: 'Transactions',
  sales: 'Sales',
  pending: 'Pending transactions',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
};

/** Names of the figures that lists add up to, as on the report. */
export const FIGURE_NAMES: Readonly<Record<ListFigure, string>> = {
  gross: 'Gross',
  seller_earnings: 'Net earnings',
  service_fees: 'Fees',
  commissions: 'Commissions',
  affiliate_commissions: 'Commissions of affiliates',
  agent_commissions: 'Commissions of agents',
  jv_commissions: 'Commissions of partners',
  refunded: 'Refunds',
  charged_back: 'Chargebacks',
  pending_amount: 'Pending',
  other: 'Taxes and other',
};
const FIGURE_OPTIONS = recordOf(FIGURES_OF_ALL.vendor, (figure) => FIGURE_NAMES[figure]);

/** Contains all that a typed text can mean. */
export interface Ambiguity {
  readonly field: FilterField;
  /** Names by the values of the field. */
  readonly names: ReadonlyMap<string, string>;
  /** Transactions that the text can mean, too. */
  readonly transaction_ids?: readonly string[];
  /** Address of a page with all that it can mean, if these are not all. */
  readonly all?: string | null;
}

export interface ShownFilter {
  readonly query: ReportQuery;
  readonly role: Role;
  /** Filter as it was sent, with names replaced by ids. */
  readonly filter: ListFilter;
  /** Valid part of the filter. */
  readonly used: ListFilter;
  readonly range: DayRange;
  readonly offered: OfferedNames;
  readonly ambiguities: readonly Ambiguity[];
}

interface ShownFilters extends ShownFilter {
  /** True if the form has a problem, so that it is open on every screen. */
  readonly hasProblem: boolean;
}

/**
 * Shows the filters of a list: those in use, each with a link that removes it, and a form for all
 * of them.
 */
export function ListFilters(shown: ShownFilters) {
  const { ambiguities } = shown;
  return (
    <>
      <Chips {...shown} />
      {ambiguities.map((each) => (
        <Choices {...shown} {...each} />
      ))}
      <Filter {...shown} />
    </>
  );
}

/** Fields that the form always shows; the others are folded. */
const FIRST_FIELDS: readonly FilterField[] = ['email', 'status', 'product'];

/** Offers three fields in one line, and the others below, folded because chips show their values. */
function Filter({ hasProblem, ...shown }: ShownFilters) {
  const { query, role, filter, offered } = shown;
  const hasMore = Object.keys(filter).some((name) => !FIRST_FIELDS.some((each) => each === name));
  const statuses = Array.from(
    STATUSES_BY_WORD,
    ([word, status]) => [word, statusText(status)] as const,
  );
  return (
    <FilterForm
      action={LIST_PATH}
      label="Filter"
      isOpen={hasProblem}
      hidden={keptBy(query, role, filter)}
      also={
        <details class="more-fields" open={hasProblem && hasMore}>
          <summary>More filters</summary>
          <div class="choose">
            <MoreFields {...shown} />
          </div>
        </details>
      }
    >
      {role === 'vendor' && (
        <Field
          name="email"
          label="Customer, e-mail or transaction id"
          value={filter.email ?? ''}
          type="search"
          autocomplete="off"
        />
      )}
      {hasStatus(shown) && (
        <Select
          name="status"
          label={nameOf('status', role)}
          options={new Map([['', 'Any'], ...statuses])}
          chosen={filter.status ?? ''}
        />
      )}
      <ProductField
        name="product"
        label={nameOf('product', role)}
        value={filter.product ?? ''}
        offered={offered}
      />
    </FilterForm>
  );
}

/** A vendor's list of refunds or chargebacks has no column with the status. */
function hasStatus({ role, filter: { kind, status } }: ShownFilter): boolean {
  const isOfReturns = kind === 'refunds' || kind === 'chargebacks';
  return role === 'affiliate' || !isOfReturns || status !== undefined;
}

function MoreFields({ role, filter, range, offered }: ShownFilter) {
  const of = <Name extends FilterField>(name: Name) => ({ name, label: nameOf(name, role) });
  const input = (name: FilterField) => ({ ...of(name), value: filter[name] ?? '' });
  return (
    <>
      <Select {...of('kind')} options={LIST_TITLES} chosen={filter.kind ?? ''} />
      <NameField {...of('partner')} value={filter.partner ?? ''} names={offered.partner} />
      <Select
        {...of('commission')}
        options={new Map([['', 'Any'], ...COMMISSIONS])}
        chosen={filter.commission ?? ''}
      />
      <Fields
        fields={[
          { label: 'First day', name: 'from', type: 'date', value: range.start_date },
          { label: 'Last day', name: 'to', type: 'date', value: range.end_date },
          { ...input('amount_from'), ...AMOUNT },
          { ...input('amount_to'), ...AMOUNT },
          { ...input('tid'), autocomplete: 'off' },
        ]}
      />
      {role === 'vendor' && (
        <Select
          {...of('figure')}
          options={FIGURE_OPTIONS}
          chosen={filter.figure ?? FIGURES_OF_ALL.vendor[0]}
        />
      )}
    </>
  );
}

const AMOUNT = { inputMode: 'decimal', maxLength: 17 } as const;
const COMMISSIONS = COMMISSION_STATUSES.map((status) => {
  return [status, commissionStatusText(status)] as const;
});

/**
 * Returns what the form keeps: the day on which refunds count, whose sales are shown, and tracking
 * values that have no field in it.
 */
function keptBy(query: ReportQuery, role: Role, filter: ListFilter): ReadonlyMap<string, string> {
  const others = Object.entries(trackedIn(filter)).filter(([field]) => field !== 'tid');
  const withoutDays = { ...query, preset: null, from: '', to: '', role };
  const address = addressOf(LIST_PATH, withoutDays, Object.fromEntries(others));
  const kept = new Map(new URLSearchParams(address.split('?')[1]));
  kept.delete('from');
  kept.delete('to');
  return kept;
}

interface NameProperties {
  readonly name: NamedField;
  readonly label: string;
  readonly value: string;
}

/** Offers all products of a vendor who has few, and otherwise takes a name. */
function ProductField({
  offered: { product, hasAllProducts },
  ...field
}: NameProperties & { readonly offered: OfferedNames }) {
  const id = idIn(field.value);
  if (!hasAllProducts || (field.value !== '' && (id === null || !product.has(id)))) {
    return <NameField {...field} names={product} />;
  }
  const byName = [...product].sort(([, one], [, other]) => one.localeCompare(other));
  const options = byName.map(([each, name]) => [String(each), isolatedText(name)] as const);
  return (
    <Select
      name={field.name}
      label={field.label}
      options={new Map([['', 'All products'], ...options])}
      chosen={id === null ? '' : String(id)}
    />
  );
}

/** Takes a name, and offers some with their ids. */
function NameField({
  names,
  ...field
}: NameProperties & { readonly names: ReadonlyMap<number, string> }) {
  const list = `names-${field.name}`;
  const id = idIn(field.value);
  const value = id === null ? field.value : namedId(id, names.get(id));
  return (
    <>
      <Field {...field} value={value} list={list} autocomplete="off" placeholder="Name or ID" />
      <datalist id={list}>
        {Array.from(names, ([each, name]) => (
          <option value={namedId(each, name)} />
        ))}
      </datalist>
    </>
  );
}

/** Writes a name with its id, because several can have the same name. */
function namedId(id: number, name: string | undefined): string {
  return name === undefined || name === String(id) ? String(id) : `${isolatedText(name)} (${id})`;
}

/** Links to the list of each product, partner or customer that a text can mean. */
function Choices(shown: ShownFilter & Ambiguity) {
  const { query, role, used, field, names, transaction_ids = [], all = null } = shown;
  const toList = (value: string) =>
    addressOf(LIST_PATH, { ...query, role }, { ...used, [field]: value });
  const links = [
    ...Array.from(names, ([value, name]) => [toList(value), name] as const),
    ...transaction_ids.map(
      (id) => [transactionPath(id, addressOf(LIST_PATH, { ...query, role }, used)), id] as const,
    ),
    ...(all === null ? [] : [[all, 'Search for all'] as const]),
  ];
  return (
    <ul class="chips" aria-label={`${nameOf(field, role)}: choose one`}>
      {links.map(([href, words]) => (
        <li>
          <a href={href}>{isolatedText(words)}</a>
        </li>
      ))}
    </ul>
  );
}

function Chips({ query, role, used, offered }: ShownFilter) {
  // The title says which list it is.
  const names = FILTER_FIELDS.filter((name) => name !== 'kind' && used[name] !== undefined);
  const chips = names.map((name) => ({
    name: nameOf(name, role),
    words: wordsOf(name, used[name] ?? '', offered),
    without: addressOf(LIST_PATH, { ...query, role }, without(used, name)),
  }));
  return <FilterChips chips={chips} />;
}

function wordsOf(field: FilterField, value: string, offered: OfferedNames): string {
  // The form reports the problem of a value that is unknown.
  if (field === 'figure') {
    const figure = figureIn(value);
    return figure === null ? value : FIGURE_NAMES[figure];
  }
  if (field === 'status') {
    const status = STATUSES_BY_WORD.get(value);
    return status === undefined ? value : statusText(status);
  }
  if (field === 'commission') {
    const status = oneOf(COMMISSION_STATUSES, value);
    return status === null ? value : commissionStatusText(status);
  }
  if (field !== 'product' && field !== 'partner') return value;
  const id = idIn(value);
  const name = id === null ? undefined : offered[field].get(id);
  return name === undefined ? value : isolatedText(name);
}

function nameOf(field: FilterField, role: Role): string {
  return {
    kind: 'List',
    figure: 'Adds up to',
    status: 'Status',
    product: 'Product',
    partner: role === 'vendor' ? 'Affiliate' : 'Vendor',
    commission: 'Affiliate commission',
    email: 'Customer',
    amount_from: 'Amount from',
    amount_to: 'Amount to',
    ...FIELD_NAMES,
    tid: 'Tracking id (tid)',
  }[field];
}
