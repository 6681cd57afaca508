import { CENTS, parseDecimal } from '../../../platform/values/money.js';
import {
  FIGURES_OF_ALL,
  type ListRequest,
  REPORT_KINDS,
  type ReportKind,
  type RowFilter,
  type TransactionsPage,
} from './report-list.model.js';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { STATUSES_BY_WORD } from '../../../ledger/reads/transaction.model.js';
import { LIST_PATH } from '../../../platform/pages/paths.js';
import { addressOf, type ReportQuery, type Role } from '../ranges/report-query.js';
import { oneOf, type Visit } from '../../../platform/pages/visit.js';
import { ChoiceForm, Fields, FormProblem, Select } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';

/** Parameters of a list in addition to its range, in the order of the form. */
const FILTER_FIELDS = [
  'kind',
  'figure',
  'status',
  'product',
  'partner',
  'amount_from',
  'amount_to',
  'tid',
] as const;
type FilterField = (typeof FILTER_FIELDS)[number];

/** A filter as it is in the address; empty values are left out. */
export type ListFilter = Readonly<Partial<Record<FilterField, string>>>;

export const LIST_TITLES: Readonly<Record<ReportKind, string>> = {
  all: 'Transactions',
  sales: 'Sales',
  pending: 'Pending transactions',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
};

/** Names of the figures that lists add up to. */
export const FIGURE_NAMES: Readonly<Record<ListFigure, string>> = {
  gross: 'Gross',
  seller_earnings: 'Net earnings',
  service_fees: 'Fees',
  commissions: 'Commissions',
  affiliate_commissions: 'Affiliates',
  agent_commissions: 'Agents',
  jv_commissions: 'Partners',
  refunded: 'Refunds',
  charged_back: 'Chargebacks',
  pending_amount: 'Pending',
  other: 'Taxes and other',
};
const FIGURE_OPTIONS = recordOf(FIGURES_OF_ALL.vendor, (figure) => FIGURE_NAMES[figure]);

/** Names of the products and partners of some sales, by id as text. */
interface FilterNames {
  readonly product: ReadonlyMap<string, string>;
  readonly partner: ReadonlyMap<string, string>;
}

export interface ShownFilter {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly filter: ListFilter;
  /** True if the form has a problem. */
  readonly isOpen?: boolean;
  readonly names?: FilterNames;
}

/** Values that filter nothing. */
const USUAL: ListFilter = { kind: 'all', figure: FIGURES_OF_ALL.vendor[0] };

/** Reads the filter from the address, without values that filter nothing. */
export function filterIn(visit: Visit): ListFilter {
  const given = FILTER_FIELDS.filter((name) => {
    const value = visit.query(name).trim();
    return value !== '' && value !== USUAL[name];
  });
  return Object.fromEntries(given.map((name) => [name, visit.query(name)]));
}

/**
 * Converts a filter to the criteria of a list.
 * @throws FormProblem for the first field that is not valid
 */
export function narrowedBy(
  filter: ListFilter,
): Pick<ListRequest, 'kind' | 'figure' | 'product_id' | 'partner_id' | 'rows'> {
  const { kind = 'all', figure, product, partner } = filter;
  return {
    ...(figure === undefined
      ? {}
      : { figure: valid('figure', figureIn(figure), 'This figure does not exist.') }),
    kind: valid('kind', oneOf(REPORT_KINDS, kind), 'This list does not exist.'),
    ...(product === undefined ? {} : { product_id: idOf('product', product) }),
    ...(partner === undefined ? {} : { partner_id: idOf('partner', partner) }),
    rows: rowFilterOf(filter),
  };
}

function figureIn(text: string): ListFigure | null {
  return oneOf(FIGURES_OF_ALL.vendor, text);
}

function rowFilterOf({ status, amount_from, amount_to, tid }: ListFilter): RowFilter {
  const least = amount_from === undefined ? null : centsOf('amount_from', amount_from);
  const most = amount_to === undefined ? null : centsOf('amount_to', amount_to);
  if (least !== null && most !== null && least > most) {
    throw new FormProblem('amount_to', 'The highest amount must not be below the lowest.');
  }
  const known = status === undefined ? null : STATUSES_BY_WORD.get(status);
  return {
    ...(known === null ? {} : { status: valid('status', known, 'This status does not exist.') }),
    ...(least === null ? {} : { least_amount: least }),
    ...(most === null ? {} : { most_amount: most }),
    ...(tid === undefined ? {} : { tid }),
  };
}

function idOf(field: FilterField, text: string): number {
  const id = /^\d+$/.test(text.trim()) ? Number(text) : NaN;
  return valid(field, Number.isSafeInteger(id) ? id : null, 'It must be an id, such as 101.');
}

function centsOf(field: FilterField, text: string): number {
  const cents = parseDecimal(text.trim(), CENTS);
  return valid(field, cents, 'It must be an amount, such as 47.00.');
}

/** @throws FormProblem if there is no value */
function valid<Value>(field: FilterField, value: Value | null | undefined, message: string): Value {
  if (value === null || value === undefined) throw new FormProblem(field, message);
  return value;
}

/**
 * Returns the names in the sales that a page shows, which needs no query. Affiliates do not see the
 * ids of products.
 */
export function namesOn(page: TransactionsPage): FilterNames {
  const [product, partner] = [new Map<string, string>(), new Map<string, string>()];
  // Rows are newest first. They are reversed so that the newest sale's product name is set last and
  // remains.
  if (page.role === 'affiliate') {
    for (const { vendor_id, vendor_name } of page.transactions) {
      partner.set(String(vendor_id), vendor_name);
    }
    return { product, partner };
  }
  for (const sale of [...page.transactions].reverse()) {
    const { product_id, product_name, affiliate_id, affiliate_name } = sale;
    product.set(String(product_id), product_name);
    if (affiliate_id !== null) partner.set(String(affiliate_id), affiliate_name ?? '');
  }
  return { product, partner };
}

const AMOUNT = { inputMode: 'decimal', maxLength: 17 } as const;
const ID = { inputMode: 'numeric', maxLength: 16 } as const;

/**
 * Shows the filters of a list: those in use, each with a link that removes it, and a form for all
 * of them.
 */
export function ListFilters(shown: ShownFilter) {
  const { filter, isOpen = false } = shown;
  return (
    <>
      <Chips {...shown} />
      <details class="card" open={isOpen}>
        <summary>{Object.keys(filter).length === 0 ? 'Filter' : 'Change the filter'}</summary>
        <FilterForm {...shown} />
      </details>
    </>
  );
}

function FilterForm({ query, role, filter, names }: ShownFilter) {
  const of = (name: FilterField) => ({ name, label: nameOf(name, role) });
  const input = (name: FilterField) => ({ ...of(name), value: filter[name] ?? '' });
  // The form keeps the range and the day on which refunds count.
  const [, kept] = addressOf(LIST_PATH, { ...query, role }).split('?');
  const statuses = Array.from(STATUSES_BY_WORD.keys(), (word) => [word, word] as const);
  return (
    <ChoiceForm
      class="choose"
      action={LIST_PATH}
      label="Filter"
      hidden={new Map(new URLSearchParams(kept))}
    >
      <Select {...of('kind')} options={LIST_TITLES} chosen={filter.kind ?? ''} />
      {role === 'vendor' && (
        <Select
          {...of('figure')}
          options={FIGURE_OPTIONS}
          chosen={filter.figure ?? FIGURES_OF_ALL.vendor[0]}
        />
      )}
      <Select
        {...of('status')}
        options={new Map([['', 'Any'], ...statuses])}
        chosen={filter.status ?? ''}
      />
      <Fields
        fields={[
          { ...input('product'), ...ID, ...choicesFrom('product', names) },
          { ...input('partner'), ...ID, ...choicesFrom('partner', names) },
          { ...input('amount_from'), ...AMOUNT },
          { ...input('amount_to'), ...AMOUNT },
          { ...input('tid'), autocomplete: 'off' },
        ]}
      />
      <button>Filter</button>
      {names !== undefined && <Choices names={names} />}
    </ChoiceForm>
  );
}

/** Offers the ids of the list with their names, for users who know only a name. */
function choicesFrom(field: keyof FilterNames, names: FilterNames | undefined) {
  return names === undefined || names[field].size === 0 ? {} : { list: `ids-${field}` };
}

function Choices({ names }: { readonly names: FilterNames }) {
  return (['product', 'partner'] as const).map((field) => (
    <datalist id={`ids-${field}`}>
      {Array.from(names[field], ([id, name]) => (
        <option value={id} label={name === '' ? undefined : `${isolatedText(name)} (${id})`} />
      ))}
    </datalist>
  ));
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
  if (field === 'kind') {
    // The form reports the problem of an unknown list.
    const kind = oneOf(REPORT_KINDS, value);
    return kind === null ? value : LIST_TITLES[kind];
  }
  if (field === 'figure') {
    const figure = figureIn(value);
    return figure === null ? value : FIGURE_NAMES[figure];
  }
  const name = field === 'product' || field === 'partner' ? names?.[field].get(value.trim()) : '';
  return name ? `${value}, ${isolatedText(name)}` : value;
}

function nameOf(field: FilterField, role: Role): string {
  return {
    kind: 'List',
    figure: 'Adds up to',
    status: 'Status',
    product: 'Product id',
    partner: role === 'vendor' ? 'Affiliate id' : 'Vendor id',
    amount_from: 'Amount from',
    amount_to: 'Amount to',
    tid: 'Tracking id (tid)',
  }[field];
}
