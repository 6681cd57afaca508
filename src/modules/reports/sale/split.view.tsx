import type { ComponentChildren } from 'preact';
import { formatDecimal, MILLIONTHS } from '../../../platform/values/money.js';
import { type Fact, Facts, Panel } from '../../../platform/pages/ui/facts.view.js';
import { amounts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { Amount, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import { withAside, withLine } from '../lists/sales.view.js';
import { MAX_ITEMS, type VendorSale } from './sale.service.js';

type PayoutItem = VendorSale['payout_items'][number];

interface Share {
  readonly name: string;
  /** Shown below the name. */
  readonly note?: ComponentChildren;
  /** How the share was paid, if one payout has all of it; null otherwise. */
  readonly payout: PayoutItem | null;
  readonly paid: number;
  /** Change by a refund; null without a refund. */
  readonly change: number | null;
}

/**
 * Shows what was taken off the amount and what was left for the vendor, and how a refund changed
 * that. Each column adds up.
 */
export function Split(sale: VendorSale) {
  const { amount, refund_amount } = sale;
  const tax = singleTaxOf(sale);
  const shares = sharesOfParties(sale);
  const total = {
    name: 'Total',
    note: tax && ['of which ', <Money cents={tax.cents} />, ` is ${tax.name}`],
    payout: null,
    paid: amount,
    change: refund_amount === null ? null : -refund_amount,
  };
  return (
    <Panel id="split" title="Breakdown">
      <Table
        label="Breakdown"
        columns={refund_amount === null ? [NAME, SALE] : [NAME, SALE, REFUNDED, REMAINING]}
        rows={[total, ...takenOff(total, shares)]}
        total={shares[0]}
      />
      <Facts
        facts={[
          ...(tax === null ? taxesOf(sale) : []),
          ['Shipping fee', sale.shipping_fee !== null && <Shipping fee={sale.shipping_fee} />],
        ]}
      />
    </Panel>
  );
}

/** Returns the share of each party, that of the vendor first. */
function sharesOfParties(sale: VendorSale): readonly [Share, ...Share[]] {
  const of = (name: string, paid: number, change: number | null): Share => {
    return { name, paid, change, payout: payoutOf(sale, { name, paid }) };
  };
  return [
    of('Your earnings', sale.seller_earnings, sale.seller_refund_impact),
    of('Service fee', sale.service_fee, sale.service_fee_adjustment),
    of('Affiliate', sale.affiliate_payout, sale.affiliate_refund_impact),
    of('Agent', sale.agent_payout, sale.agent_refund_impact),
    of('Partner (JV)', sale.jv_payout, sale.jv_refund_impact),
  ];
}

/**
 * Returns what the amount has less than the vendor's share: the shares of the others, and last what
 * nobody has. Those that are zero are left out.
 */
function takenOff(total: Share, shares: readonly Share[]): Share[] {
  const rest = {
    name: 'Taxes and other',
    payout: null,
    paid: restOf(total.paid, shares),
    change: shares.reduce((left, { change }) => left - (change ?? 0), total.change ?? 0),
  };
  return [...shares.slice(1), rest]
    .filter(({ paid, change }) => paid !== 0 || (change ?? 0) !== 0)
    .map((share) => ({ ...share, paid: -share.paid, change: share.change && -share.change }));
}

/** Returns what nobody has of an amount, in cents. */
function restOf(amount: number, shares: readonly Share[]): number {
  return shares.reduce((left, { paid }) => left - paid, amount);
}

/** Types of payouts by the name of their share. */
const PAYOUT_TYPES: ReadonlyMap<string, string> = new Map([
  ['Affiliate', 'AFFILIATE'],
  ['Agent', 'AGENT'],
  ['Partner (JV)', 'JV'],
]);

/** Returns the payout that has exactly a share, if all payouts are known and no other is like it. */
function payoutOf(sale: VendorSale, { name, paid }: Pick<Share, 'name' | 'paid'>) {
  const { vendor_id, payout_items: items, payout_item_count } = sale;
  if (paid === 0 || payout_item_count > items.length) return null;
  const [found, ...others] = items.filter(({ payee_user_id, payout_type }) =>
    payee_user_id === vendor_id ? name === 'Your earnings' : payout_type === PAYOUT_TYPES.get(name),
  );
  return found?.payee_amount === paid && others.length === 0 ? found : null;
}

/** Returns the kinds of taxes in the amount; null for an unknown one. */
function kindsOfTaxes(sale: VendorSale) {
  return [
    ['International sales tax', sale.international_sales_tax],
    ['National sales tax', sale.national_sales_tax],
    ['VAT', sale.vat_tax],
  ] as const;
}

/** Returns the tax of a sale with a single kind of them, which takes no line of its own. */
function singleTaxOf(sale: VendorSale): { readonly name: string; readonly cents: number } | null {
  const [first, ...others] = kindsOfTaxes(sale).filter(([, tax]) => tax !== null && tax !== 0);
  const [name = '', cents = null] = first ?? [];
  return cents === null || others.length > 0 || cents !== sale.tax_total ? null : { name, cents };
}

function taxesOf(sale: VendorSale): Fact[] {
  const kinds = kindsOfTaxes(sale).map(([name, tax]): Fact => [name, money(tax)]);
  return [['Taxes', money(sale.tax_total)], ...kinds];
}

const NAME: Column<Share> = {
  name: 'Part',
  cell: ({ name, note = null, payout }) => {
    if (payout === null) return note === null ? name : withLine(name, note);
    return withLine(name, payoutText(payout, name === 'Your earnings'));
  },
};
const SALE = amounts<Share>('Amount', ({ paid }) => paid);
const REFUNDED = amounts<Share>('Refunded', ({ change }) => change ?? 0);
const REMAINING = amounts<Share>('Remaining', ({ paid, change }) => paid + (change ?? 0));

/** Shows the payouts that are no whole share, with their payees and amounts. */
export function PayoutItems(sale: VendorSale) {
  const { vendor_id, payout_items, payout_item_count } = sale;
  const shares = sharesOfParties(sale);
  const items = payout_items.filter((item) => !shares.some(({ payout }) => payout === item));
  if (items.length === 0) return null;
  return (
    <Panel
      id="payout-items"
      title={items.length < payout_items.length ? 'Other payouts' : 'Payouts'}
    >
      <Table label="Payouts" columns={columnsOfItems(vendor_id)} rows={items} />
      {payout_item_count > payout_items.length && (
        <p class="hint">
          The first {MAX_ITEMS} of {numberText(payout_item_count)}
        </p>
      )}
    </Panel>
  );
}

function columnsOfItems(vendor_id: number): Column<PayoutItem>[] {
  return [
    {
      name: 'Payee',
      cell: (item) => {
        const isVendor = item.payee_user_id === vendor_id;
        const others = isVendor ? [] : [plainWord(item.payout_type), `ID ${item.payee_user_id}`];
        return withAside(
          isVendor ? 'You' : item.payee_name,
          [...others, stateOf(item)].join(' · '),
        );
      },
    },
    amounts('Amount', ({ payee_amount }) => payee_amount),
  ];
}

/** Says in words to whom a payout is, and whether and how it was made. */
function payoutText(item: PayoutItem, isVendor: boolean): string {
  const payee = isVendor ? 'you' : item.payee_name;
  if (!isMade(item)) return isVendor ? stateOf(item) : `${payee} · ${stateOf(item)}`;
  return [`paid out to ${payee}`, wayOf(item)].join(' ').trim();
}

/** Says whether and how a payout was made, such as `paid out by bank transfer`. */
function stateOf(item: PayoutItem): string {
  if (isMade(item)) return `paid out ${wayOf(item)}`.trim();
  const words = [plainWord(item.payout_status), wayOf(item)];
  return words.filter((word) => word !== '').join(', ');
}

function isMade({ payout_status: status }: PayoutItem): boolean {
  return status === 'COMPLETED' || status === 'PAID';
}

/** Says how a payout is made, in the word of the sales system; empty if it is unknown. */
function wayOf({ payment_processor: way }: PayoutItem): string {
  if (way === '') return '';
  return `by ${way.toLowerCase() === 'bank' ? 'bank transfer' : plainWord(way)}`;
}

const PLAIN_WORDS: ReadonlyMap<string, string> = new Map([['JV', 'partner (JV)']]);

/** Returns a word that a sales system writes in capitals as plain text, and others unchanged. */
function plainWord(word: string): string {
  const known = PLAIN_WORDS.get(word);
  if (known !== undefined) return known;
  return /^[A-Z][A-Z_]*$/.test(word) ? word.toLowerCase().replaceAll('_', ' ') : word;
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
