import { formatDecimal, MILLIONTHS } from '../../common/money.js';
import { MAX_ITEMS, type VendorSale } from '../../modules/reports/sale/sale.model.js';
import { Facts, Panel } from '../ui/facts.view.js';
import { amounts, Table, type Column } from '../ui/table.view.js';
import { Amount, Money, numberText } from '../ui/values.view.js';

interface Share {
  readonly name: string;
  readonly paid: number;
  /** Change by a refund; null without a refund. */
  readonly change: number | null;
}

/** Shows how the amount was divided, and how a refund changed each share. */
export function Split({ sale }: { readonly sale: VendorSale }) {
  const hasRefund = sale.refund_amount !== null;
  return (
    <Panel id="split" title="Money">
      <Table
        isSmall
        label="Money"
        columns={hasRefund ? [NAME, SALE, REFUND, LEFT] : [NAME, SALE]}
        rows={sharesOf(sale)}
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

function sharesOf(sale: VendorSale): Share[] {
  const { refund_amount } = sale;
  const shares = [
    {
      name: 'Amount',
      paid: sale.amount,
      change: refund_amount === null ? null : -refund_amount,
    },
    { name: 'Your share', paid: sale.seller_earnings, change: sale.seller_refund_impact },
    { name: 'Affiliate', paid: sale.affiliate_payout, change: sale.affiliate_refund_impact },
    { name: 'Agent', paid: sale.agent_payout, change: sale.agent_refund_impact },
    { name: 'Joint venture', paid: sale.jv_payout, change: sale.jv_refund_impact },
    { name: 'Service fee', paid: sale.service_fee, change: sale.service_fee_adjustment },
  ];
  return shares.filter(({ paid, change }) => paid !== 0 || (change ?? 0) !== 0);
}

const NAME: Column<Share> = { name: 'Share', cell: ({ name }) => name };
const SALE = amounts<Share>('Sale', ({ paid }) => paid);
const REFUND = amounts<Share>('Refund', ({ change }) => change ?? 0);
const LEFT = amounts<Share>('Left', ({ paid, change }) => paid + (change ?? 0));

/** Shows the payees with their amounts. */
export function PayoutItems({ sale }: { readonly sale: VendorSale }) {
  const { payout_items, payout_item_count } = sale;
  if (payout_items.length === 0) return null;
  return (
    <Panel id="payout-items" title="Payouts">
      <Table label="Payouts" columns={OF_ITEMS} rows={payout_items} />
      {payout_item_count > payout_items.length && (
        <p class="hint">
          The first {MAX_ITEMS} of {numberText(payout_item_count)}
        </p>
      )}
    </Panel>
  );
}

const OF_ITEMS: readonly Column<VendorSale['payout_items'][number]>[] = [
  {
    name: 'Payee',
    cell: ({ payee_name, payee_user_id }) => (
      <>
        {payee_name}
        <div class="aside">{payee_user_id}</div>
      </>
    ),
  },
  {
    name: 'Type and processor',
    cell: ({ payout_type, payment_processor }) => (
      <>
        {payout_type}
        <div class="aside">{payment_processor}</div>
      </>
    ),
  },
  { name: 'Status', cell: ({ payout_status }) => payout_status },
  amounts('Amount', ({ payee_amount }) => payee_amount),
];

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
