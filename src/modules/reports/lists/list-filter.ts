import { COMMISSION_STATUSES } from '../../../ledger/columns.js';
import { lowerCase } from '../../../platform/database/entities/spellings.js';
import { CENTS, parseDecimal } from '../../../platform/values/money.js';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import { STATUSES_BY_WORD } from '../../../ledger/reads/transaction.model.js';
import { FormProblem, problemsOf } from '../../../platform/pages/ui/form.view.js';
import { oneOf, type Visit } from '../../../platform/pages/visit.js';
import { VALUE_FIELDS } from '../figures/figure.model.js';
import type { Role } from '../ranges/report-query.js';
import {
  FIGURES_OF_ALL,
  type ListRequest,
  REPORT_KINDS,
  type RowFilter,
} from './report-list.model.js';

/** Parameters of a list in addition to its range, in the order of the form. */
export const FILTER_FIELDS = [
  'kind',
  'figure',
  'status',
  'product',
  'partner',
  'commission',
  'email',
  'amount_from',
  'amount_to',
  ...VALUE_FIELDS,
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** A filter as it is in the address; empty values are left out. */
export type ListFilter = Readonly<Partial<Record<FilterField, string>>>;

/** Values that filter nothing. */
const USUAL: ListFilter = { kind: 'all', figure: FIGURES_OF_ALL.vendor[0] };

/** Fields for vendors only: affiliates see neither customers nor the shares of others. */
const OF_VENDORS: readonly FilterField[] = ['figure', 'email'];

/** Reads the filter from the address, without values that filter nothing. */
export function filterIn(visit: Visit, role: Role): ListFilter {
  const given = FILTER_FIELDS.filter((name) => {
    const value = visit.query(name).trim();
    const applies = role === 'vendor' || !OF_VENDORS.includes(name);
    return applies && value !== '' && value !== USUAL[name];
  });
  return Object.fromEntries(given.map((name) => [name, visit.query(name)]));
}

/** Returns a filter without one of its fields. */
export function without(filter: ListFilter, field: string): ListFilter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => name !== field));
}

/** Returns the part of a filter that is valid, and the problems of all other fields. */
export function validPartOf(filter: ListFilter) {
  const problems: FormProblem[] = [];
  let part = filter;
  for (;;) {
    const [problem] = problemsOf([() => narrowedBy(part)]);
    if (problem === undefined) return { part, problems };
    problems.push(problem);
    part = without(part, problem.field);
  }
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

export function figureIn(text: string): ListFigure | null {
  return oneOf(FIGURES_OF_ALL.vendor, text);
}

function rowFilterOf(filter: ListFilter): RowFilter {
  const { status, commission, amount_from, amount_to, email } = filter;
  const least = amount_from === undefined ? null : centsOf('amount_from', amount_from);
  const most = amount_to === undefined ? null : centsOf('amount_to', amount_to);
  if (least !== null && most !== null && least > most) {
    throw new FormProblem('amount_to', 'The highest amount must not be below the lowest.');
  }
  const tracking = trackedIn(filter);
  const known = status === undefined ? null : STATUSES_BY_WORD.get(status);
  return {
    ...(known === null ? {} : { status: valid('status', known, 'This status does not exist.') }),
    ...(commission === undefined ? {} : { commission: commissionOf(commission) }),
    ...(least === null ? {} : { least_amount: least }),
    ...(most === null ? {} : { most_amount: most }),
    ...(email === undefined ? {} : { email: lowerCase(email.trim()) }),
    ...(Object.keys(tracking).length === 0 ? {} : { tracking }),
  };
}

/** Returns the tracking values of a filter. */
export function trackedIn(filter: ListFilter): NonNullable<RowFilter['tracking']> {
  const given = VALUE_FIELDS.filter((field) => filter[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, filter[field] ?? '']));
}

function commissionOf(text: string) {
  return valid('commission', oneOf(COMMISSION_STATUSES, text), 'This status does not exist.');
}

/** Matches an id that stands alone. */
const ID = /^\d{1,16}$/;
/** Matches an id in parentheses at the end, as in the offered names. */
const ID_AT_END = /\((\d{1,16})\)$/;

/** Returns the id in a text, or null for a name without an id. */
export function idIn(text: string): number | null {
  const trimmed = text.trim();
  const digits = ID.test(trimmed) ? trimmed : ID_AT_END.exec(trimmed)?.[1];
  const id = Number(digits ?? NaN);
  return Number.isSafeInteger(id) ? id : null;
}

function idOf(field: FilterField, text: string): number {
  return valid(field, idIn(text), 'It must be a name, or an id such as 101.');
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
