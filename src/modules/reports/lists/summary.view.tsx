import type { ListRequest, ReportKind, TransactionsPage } from './report-list.model.js';
import { countText, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import { FIGURE_NAMES, type ShownFilter } from './list-filter.view.js';
import { costOfReturns, isOfReturns } from './sales.view.js';

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
        <Count {...page} kind={request.kind} /> <Adds {...page} kind={request.kind} />
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

/** Says what the column of a list adds up to, unless the count of the list says so. */
function Adds({ figure, total, ...page }: CountedPage) {
  if (total === null || isCountOfReturns({ figure, total, ...page })) return null;
  return (
    <>
      {FIGURE_NAMES[figure]} in this period: <Sum cents={total} />.
    </>
  );
}

/** A page of a list, and of which kind its transactions are. */
type CountedPage = TransactionsPage & { readonly kind: ReportKind };

/** Says how many there are; of refunds or chargebacks also what they add up to, and their cost. */
function Count(page: CountedPage) {
  const count = countOf(page);
  if (count === null) return null;
  const { kind, total, total_count } = page;
  const cost = costOfReturns(page);
  return (
    <>
      {total_count === null && 'More than '}
      <strong>{numberText(count)}</strong> {NOUNS[kind]}
      {count === 1 ? '' : 's'}
      {total !== null && isCountOfReturns(page) && (
        <>
          {' '}
          of <Sum cents={total} />
          {cost !== null && (
            <>
              , which cost you <Sum cents={cost} />
            </>
          )}
        </>
      )}
      .
    </>
  );
}

/** Returns a number of transactions; null on a later page of a list that nobody counted. */
function countOf({ total_count, transactions, previous, searched_to }: CountedPage): number | null {
  const isFirst = previous === null;
  if (total_count === null && (!isFirst || searched_to !== null)) return null;
  return total_count ?? transactions.length;
}

/** Returns true if a list has a number of refunds or chargebacks, and adds up to their amounts. */
function isCountOfReturns(page: CountedPage): boolean {
  const { kind, figure } = page;
  return (
    (kind === 'refunds' || kind === 'chargebacks') && isOfReturns(figure) && countOf(page) !== null
  );
}

function Sum({ cents }: { readonly cents: bigint }) {
  return (
    <strong>
      <Money cents={cents} />
    </strong>
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
