import { formatDecimal, MILLIONTHS } from '../../../platform/values/money.js';
import { MAX_ITEMS, type VendorSale } from './sale.service.js';
import {
  MAX_COUNTED,
  type SubscriptionPayment,
  type SubscriptionPayments,
} from '../../transactions/index.js';
import { transactionPath } from '../../../platform/pages/paths.js';
import { Facts, Panel } from '../../../platform/pages/ui/facts.view.js';
import { amounts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { Amount, DateTime, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import { Status, withAside } from '../lists/sales.view.js';

interface Share {
  readonly name: string;
  readonly paid: number;
  /** Change by a refund; null without a refund. */
  readonly change: number | null;
}

/** Shows how the amount was divided, and how a refund changed each share. The shares add up. */
export function Split(sale: VendorSale) {
  const { amount, refund_amount } = sale;
  const total = {
    name: 'Total',
    paid: amount,
    change: refund_amount === null ? null : -refund_amount,
  };
  return (
    <Panel id="split" title="Split">
      <Table
        label="Split"
        columns={refund_amount === null ? [NAME, SALE] : [NAME, SALE, REFUNDED, REMAINING]}
        rows={sharesOf(sale, total)}
        total={total}
      />
      <Facts
        facts={[
          ['Taxes', money(sale.tax_total)],
          ['International sales tax', money(sale.international_sales_tax)],
          ['National sales tax', money(sale.national_sales_tax)],
          ['VAT', money(sale.vat_tax)],
          ['Shipping fee', sale.shipping_fee !== null && <Shipping fee={sale.shipping_fee} />],
        ]}
      />
    </Panel>
  );
}

/** Returns the shares that are not zero; the last one is what is left of the amount. */
function sharesOf(sale: VendorSale, total: Share): Share[] {
  const shares = [
    { name: 'Your earnings', paid: sale.seller_earnings, change: sale.seller_refund_impact },
    { name: 'Affiliate', paid: sale.affiliate_payout, change: sale.affiliate_refund_impact },
    { name: 'Agent', paid: sale.agent_payout, change: sale.agent_refund_impact },
    { name: 'Partner (JV)', paid: sale.jv_payout, change: sale.jv_refund_impact },
    { name: 'Service fee', paid: sale.service_fee, change: sale.service_fee_adjustment },
  ];
  const rest = {
    name: 'Taxes and other',
    paid: shares.reduce((left, { paid }) => left - paid, total.paid),
    change: shares.reduce((left, { change }) => left - (change ?? 0), total.change ?? 0),
  };
  return [...shares, rest].filter(({ paid, change }) => paid !== 0 || (change ?? 0) !== 0);
}

const NAME: Column<Share> = { name: 'Share', cell: ({ name }) => name };
const SALE = amounts<Share>('Sale', ({ paid }) => paid);
const REFUNDED = amounts<Share>('Refunded', ({ change }) => change ?? 0);
const REMAINING = amounts<Share>('Remaining', ({ paid, change }) => paid + (change ?? 0));

/** Shows the payees with their amounts. */
export function PayoutItems({ vendor_id, payout_items, payout_item_count }: VendorSale) {
  if (payout_items.length === 0) return null;
  return (
    <Panel id="payout-items" title="Payouts">
      <Table label="Payouts" columns={columnsOfItems(vendor_id)} rows={payout_items} />
      {payout_item_count > payout_items.length && (
        <p class="hint">
          The first {MAX_ITEMS} of {numberText(payout_item_count)}
        </p>
      )}
    </Panel>
  );
}

type PayoutItem = VendorSale['payout_items'][number];

function columnsOfItems(vendor_id: number): Column<PayoutItem>[] {
  return [
    {
      name: 'Payee',
      cell: (item) => {
        const isVendor = item.payee_user_id === vendor_id;
        const { payout_type, payment_processor, payout_status } = item;
        const words = [...(isVendor ? [] : [payout_type]), payment_processor, payout_status];
        const id = isVendor ? [] : [`ID ${item.payee_user_id}`];
        return withAside(
          isVendor ? 'You' : item.payee_name,
          [...words.map((word) => plainWord(word)), ...id].join(' · '),
        );
      },
    },
    amounts('Amount', ({ payee_amount }) => payee_amount),
  ];
}

const PLAIN_WORDS: ReadonlyMap<string, string> = new Map([
  ['COMPLETED', 'paid'],
  ['JV', 'partner (JV)'],
]);

/** Returns a word that a sales system writes in capitals as plain text, and others unchanged. */
function plainWord(word: string): string {
  const known = PLAIN_WORDS.get(word);
  if (known !== undefined) return known;
  return /^[A-Z][A-Z_]*$/.test(word) ? word.toLowerCase().replaceAll('_', ' ') : word;
}

/** Returns the state of a sale in plain words. */
export function saleWords({
  status,
  amount,
  refund_amount = null,
}: Pick<VendorSale, 'status' | 'amount'> & Partial<Pick<VendorSale, 'refund_amount'>>): string {
  if (status === 'charged_back') return 'chargeback';
  if (status === 'pending') return 'pending';
  const isPart = refund_amount !== null && refund_amount > 0 && refund_amount < amount;
  if (isPart) return 'partly refunded';
  return status === 'refunded' ? 'refunded' : 'paid';
}

function money(cents: number | null) {
  return cents === null ? null : <Money cents={cents} />;
}

/** Shows a fee with two decimal places, or with more only if the fee has them. */
function Shipping({ fee }: { readonly fee: number }) {
  const [whole = '', places] = formatDecimal(fee, MILLIONTHS)
    .replace(/0{1,4}$/, '')
    .split('.');
  return <Amount text={`${numberText(whole)}.${places}`} />;
}

/** An event of a sale, or of another payment of its subscription. */
interface SaleEvent {
  readonly name: 'Sale' | 'Rebill' | 'Refund' | 'Chargeback';
  /** Null if the ledger does not have the time. */
  readonly at: string | null;
  /**
   * In cents, negative if the customer got it back; null if the ledger does not have the amount.
   */
  readonly amount: number | null;
  readonly payment: SubscriptionPayment;
}

/** Shows the sale, its refund or chargeback, and the other payments of its subscription. */
export function Timeline(sale: VendorSale) {
  const { subscription, transaction_id } = sale;
  const shown: SubscriptionPayments = subscription ?? { payments: [sale], earlier: 0, later: 0 };
  return (
    <Panel id="timeline" title="Timeline">
      <NotShown count={shown.earlier} which="earlier" />
      <ol class="timeline">
        {eventsOf(shown).map((event) => (
          <Event {...event} isCurrent={event.payment.transaction_id === transaction_id} />
        ))}
      </ol>
      <NotShown count={shown.later} which="later" />
    </Panel>
  );
}

function Event({
  name,
  at,
  amount,
  payment: { transaction_id, status },
  isCurrent,
}: SaleEvent & { readonly isCurrent: boolean }) {
  const isPayment = name === 'Sale' || name === 'Rebill';
  return (
    <li aria-current={isCurrent ? 'true' : undefined}>
      <span class="aside">{at === null ? 'on an unknown day' : <DateTime at={at} />}</span>{' '}
      <strong>{name}</strong> {amount !== null && <Money cents={amount} />}{' '}
      {isPayment && <Status of={status} />}
      {!isCurrent && (
        <div>
          <a href={transactionPath(transaction_id)}>{transaction_id}</a>
        </div>
      )}
    </li>
  );
}

function NotShown({
  count,
  which,
}: {
  readonly count: number;
  readonly which: 'earlier' | 'later';
}) {
  if (count === 0) return null;
  const number = count >= MAX_COUNTED ? `${numberText(MAX_COUNTED)} or more` : numberText(count);
  return (
    <p class="hint">
      {number} {which} {count === 1 ? 'payment' : 'payments'} not shown
    </p>
  );
}

/** Returns the events in the order of time; those without a time come last. */
function eventsOf({ payments, earlier }: SubscriptionPayments): SaleEvent[] {
  const events = payments.flatMap((payment, index): SaleEvent[] => {
    const { sale_date, amount } = payment;
    const name = index === 0 && earlier === 0 ? 'Sale' : 'Rebill';
    return [{ name, at: sale_date, amount, payment }, ...returnOf(payment)];
  });
  return events.sort(byTime);
}

function returnOf(payment: SubscriptionPayment): SaleEvent[] {
  const { status, refund_date, refund_amount } = payment;
  const isBack = status === 'refunded' || status === 'charged_back';
  if (!isBack && refund_date === null) return [];
  return [
    {
      name: status === 'charged_back' ? 'Chargeback' : 'Refund',
      at: refund_date,
      amount: refund_amount === null ? null : -refund_amount,
      payment,
    },
  ];
}

function byTime(left: SaleEvent, right: SaleEvent): number {
  if (left.at === right.at) return 0;
  if (left.at === null || right.at === null) return left.at === null ? 1 : -1;
  return left.at < right.at ? -1 : 1;
}
