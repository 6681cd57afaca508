import type { ListRequest, ReportKind, TransactionsPage } from './report-list.model.js';
import { countText, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import { FIGURE_NAMES, type ShownFilter } from './list-filter.view.js';
import { costOfReturns } from './sales.view.js';

/** Nouns for the transactions of each list. */
const NOUNS: Readonly<Record<ReportKind, string>> = {
  all: 'transaction',
  sales: 'sale',
  pending: 'pending transaction',
  refunds: 'refund',
  chargebacks: 'chargeback',
};

function orderOf({ kind }: ListRequest, isByReturn: boolean): string {
  if (!isByReturn) return 'Newest sale first.';
  return kind === 'refunds' ? 'Newest refund first.' : 'Newest chargeback first.';
}

/** Says which transactions of a list of all kinds are no sales of the period, or not counted yet. */
const INCLUDED = {
  refund: 'Includes pending sales, and earlier sales that were refunded in this period.',
  sale: 'Includes pending sales.',
} as const;

interface SummaryProperties extends Pick<ShownFilter, 'used'> {
  readonly page: TransactionsPage;
  readonly request: ListRequest;
  readonly isByReturn: boolean;
}

/** Says how many there are, what they add up to, and in which order they are. */
export function Summary({ page, request, isByReturn, used }: SummaryProperties) {
  return (
    <>
      <p class="lead">
        <Count page={page} kind={request.kind} />
        <Adds {...page} />
      </p>
      <p class="hint">
        {orderOf(request, isByReturn)}
        {request.kind === 'all' && used.status === undefined && (
          <Included parts={page.parts} {...request} />
        )}
      </p>
    </>
  );
}

/** Says what the column of a list adds up to, and what that cost the vendor if it is known. */
function Adds(page: TransactionsPage) {
  const { figure, total } = page;
  if (total === null) return null;
  const cost = costOfReturns(page);
  return (
    <>
      {FIGURE_NAMES[figure]} in this period:{' '}
      <strong>
        <Money cents={total} />
      </strong>
      .
      {cost !== null && (
        <>
          {' '}
          They cost you{' '}
          <strong>
            <Money cents={cost} />
          </strong>
          .
        </>
      )}
    </>
  );
}

function Count({ page, kind }: { readonly page: TransactionsPage; readonly kind: ReportKind }) {
  const { total_count, transactions, previous, searched_to } = page;
  const isFirst = previous === null;
  if (total_count === null && (!isFirst || searched_to !== null)) return null;
  const count = total_count ?? transactions.length;
  return (
    <>
      {total_count === null && 'More than '}
      <strong>{numberText(count)}</strong> {NOUNS[kind]}
      {count === 1 ? '' : 's'}.{' '}
    </>
  );
}

/** Says what a list of all kinds consists of, if that is known, or what it includes. */
function Included({
  parts,
  attribution,
}: Pick<TransactionsPage, 'parts'> & Pick<ListRequest, 'attribution'>) {
  if (parts === null) return <> {INCLUDED[attribution]}</>;
  const { sales, pending, returned } = parts;
  const others = [
    ...(pending === 0 ? [] : [`${numberText(pending)} pending`]),
    ...(returned === 0 ? [] : [`${countText(returned, 'earlier sale')} refunded in this period`]),
  ];
  return <> {[countText(sales, 'sale'), ...others].join(', ')}.</>;
}
