/** User ids of twenty vendors, each with sales. */
export const USERS = Array.from({ length: 20 }, (_, index) => index + 1);
const SALES = 2_000;

export function ledgerLines() {
  const lines = USERS.flatMap((id) => [
    { type: 'user', id, name: `User ${id}`, email: `user${id}@example.test` },
    { type: 'product', id: 100 + id, vendor_id: id, name: `Product ${id}` },
  ]);
  for (const id of USERS) for (let sale = 0; sale < SALES; sale += 1) lines.push(saleOf(id, sale));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function saleOf(id, sale) {
  const day = new Date(Date.UTC(2026, 0, 1) + (sale % 360) * 86_400_000).toISOString().slice(0, 19);
  return {
    type: 'transaction',
    transaction_id: `S${id}-${sale}`,
    product_id: 100 + id,
    product_name: `Product ${id}`,
    sale_date: `${day}Z`,
    amount: '47.00',
    status: 'completed',
    customer: { email: `c${sale}@example.test`, first_name: 'Ada', last_name: `L${sale}` },
    payouts: {
      seller_earnings: '40.00',
      affiliate_payout: '0.00',
      agent_payout: '0.00',
      jv_payout: '0.00',
      service_fee: '7.00',
    },
  };
}
