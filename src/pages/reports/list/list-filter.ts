import { CENTS, parseDecimal } from '../../../common/money.js';
import {
  REPORT_KINDS,
  type ListRequest,
  type ReportKind,
  type RowFilter,
} from '../../../modules/reports/lists/report-list.model.js';
import { STATUS_OF_3 } from '../../../modules/transactions/status-words.model.js';
import type { TransactionStatus } from '../../../modules/transactions/transaction.model.js';
import type { Visit } from '../../session/visit.js';
import { FormProblem } from '../../ui/form.view.js';

/** Parameters of a list in addition to its range, in the order of the form. */
export const FILTER_FIELDS = [
  ...(['kind', 'status', 'product', 'partner'] as const),
  ...(['amount_from', 'amount_to', 'tid'] as const),
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** A filter as it is in the address; empty values are left out. */
export type ListFilter = Readonly<Partial<Record<FilterField, string>>>;

type Narrowed = Pick<ListRequest, 'kind' | 'product_id' | 'partner_id' | 'rows'>;

/** Statuses by their words in API 3.0. */
export const STATUSES = new Map(
  (['completed', 'pending', 'refunded', 'charged_back'] as const).map(
    (status): [string, TransactionStatus] => [STATUS_OF_3[status], status],
  ),
);

/** Reads the filter from the address, without `kind=all`, which filters nothing. */
export function filterIn(visit: Visit): ListFilter {
  const given = FILTER_FIELDS.filter((name) => {
    const value = visit.query(name).trim();
    return value !== '' && !(name === 'kind' && value === 'all');
  });
  return Object.fromEntries(given.map((name) => [name, visit.query(name)]));
}

/**
 * Converts a filter to the criteria of a list.
 * @throws FormProblem for the first field that is not valid
 */
export function narrowedBy(filter: ListFilter): Narrowed {
  const { product, partner } = filter;
  return {
    kind: kindOf(filter.kind ?? 'all'),
    ...(product === undefined ? {} : { product_id: idOf('product', product) }),
    ...(partner === undefined ? {} : { partner_id: idOf('partner', partner) }),
    rows: rowFilterOf(filter),
  };
}

function rowFilterOf({ status, amount_from, amount_to, tid }: ListFilter): RowFilter {
  const least = amount_from === undefined ? null : centsOf('amount_from', amount_from);
  const most = amount_to === undefined ? null : centsOf('amount_to', amount_to);
  if (least !== null && most !== null && least > most) {
    throw new FormProblem('amount_to', 'The highest amount must not be below the lowest.');
  }
  return {
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(least === null ? {} : { least_amount: least }),
    ...(most === null ? {} : { most_amount: most }),
    ...(tid === undefined ? {} : { tid }),
  };
}

function kindOf(text: string): ReportKind {
  const kind = REPORT_KINDS.find((each) => each === text);
  if (kind === undefined) throw new FormProblem('kind', 'This list does not exist.');
  return kind;
}

function statusOf(text: string): TransactionStatus {
  const status = STATUSES.get(text);
  if (status === undefined) throw new FormProblem('status', 'This status does not exist.');
  return status;
}

function idOf(field: 'product' | 'partner', text: string): number {
  const id = Number(text.trim());
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(id)) {
    throw new FormProblem(field, 'It must be an id, such as 101.');
  }
  return id;
}

function centsOf(field: 'amount_from' | 'amount_to', text: string): number {
  const cents = parseDecimal(text.trim(), CENTS);
  if (cents === null) throw new FormProblem(field, 'It must be an amount, such as 47.00.');
  return cents;
}
