import { COLUMN_NAMES, REFUND_AMOUNT_FIELDS, type ColumnName } from '../../columns.js';
import { isSame } from '../../records/same-content.js';
import type { TransactionRecord } from '../../records/transaction.record.js';
import {
  readReasons,
  reasonsAt,
  reasonsText,
  type NotedReasons,
  type TransactionReason,
} from './change-reasons.js';

/** The part of a transaction that shows whether its money was returned. */
export type RefundState = Pick<TransactionRecord, 'status' | 'refund_date'>;

const REFUND: readonly ColumnName[] = ['refund_date', ...REFUND_AMOUNT_FIELDS];
const COMMISSION: readonly ColumnName[] = ['affiliate_commission_status', 'affiliate_payout'];
const SPECIAL: ReadonlySet<ColumnName> = new Set(['status', ...REFUND, ...COMMISSION]);
/** Columns whose changes have no reason of their own. */
const OTHERS = COLUMN_NAMES.filter((name) => !SPECIAL.has(name));

/**
 * Returns the stored reasons of a transaction. Without a stored text, it has not changed since it
 * arrived, or since reasons are stored, and its state shows its reasons.
 * @param sequence sequence of its latest change
 */
export function transactionReasons(
  text: string | null,
  state: RefundState,
  sequence: number,
): NotedReasons {
  const end = endOf(state);
  if (text !== null) return readReasons(text, sequence, 'corrected', end);
  return reasonsAt(sequence, end === null ? ['sold'] : ['sold', end]);
}

/** A transaction before and after a change, with the reasons of earlier changes. */
interface ReasonedChange {
  /** Undefined for a new transaction. */
  readonly before: TransactionRecord | undefined;
  readonly after: TransactionRecord;
  /** Null for a new transaction. */
  readonly reasons_before: NotedReasons | null;
}

/**
 * Returns the text of the reasons to store; null for a new transaction, whose state shows them.
 * @param sequence sequence of the change
 */
export function storedReasons(
  { before, after, reasons_before }: ReasonedChange,
  sequence: number,
): string | null {
  if (before === undefined || reasons_before === null) return null;
  return reasonsText(reasons_before, reasonsAt(sequence, changeReasonsOf(before, after)));
}

/** Returns the reasons of a change, at least one. */
export function changeReasonsOf(
  before: TransactionRecord,
  after: TransactionRecord,
): TransactionReason[] {
  const differs = (names: readonly ColumnName[]) =>
    names.some((name) => before[name] !== after[name]);
  const reasons = new Set(refundReasons(before, after, differs(REFUND)));
  const isSettled = before.status === 'pending' && after.status === 'completed';
  if (isSettled) reasons.add('settled');
  if (differs(COMMISSION) || !isSame(before.payout_items, after.payout_items)) {
    reasons.add('commission_changed');
  }
  const isStatusCorrected =
    before.status !== after.status && !isSettled && endOf(before) === null && endOf(after) === null;
  if (reasons.size === 0 || isStatusCorrected || differs(OTHERS)) reasons.add('corrected');
  return [...reasons];
}

function refundReasons(
  before: RefundState,
  after: RefundState,
  isOtherRefund: boolean,
): TransactionReason[] {
  const [from, to] = [endOf(before), endOf(after)];
  if (from === to) {
    const isChanged = isOtherRefund || (to !== null && before.status !== after.status);
    return isChanged ? ['refund_changed'] : [];
  }
  if (to === 'charged_back' || (to === 'refunded' && from === null)) return [to];
  return ['refund_changed'];
}

/** Returns how the money of a sale was returned, or null if it was not. A part counts, too. */
function endOf({ status, refund_date }: RefundState): 'refunded' | 'charged_back' | null {
  if (status === 'charged_back') return status;
  return status === 'refunded' || refund_date !== null ? 'refunded' : null;
}
