-- SQLite: Kept sums, as writers of the ledger keep them. docs/testing.md describes this file.

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO affiliate_day_sums (vendor_id, kind, day, affiliate_id, product_id, transactions,
  amount, earnings, commission, fees, agent, jv, taxes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, kind, day, affiliate_id, product_id) DO UPDATE
SET transactions = transactions + excluded.transactions, amount = amount + excluded.amount,
  earnings = earnings + excluded.earnings, commission = commission + excluded.commission,
  fees = fees + excluded.fees, agent = agent + excluded.agent, jv = jv + excluded.jv,
  taxes = taxes + excluded.taxes;

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO affiliate_sales (affiliate_id, product_id, sales, refunds, chargebacks, revenue,
  refund_amount, commission_earned, commission_paid, commission_unpaid)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (affiliate_id, product_id) DO UPDATE
SET sales = sales + excluded.sales, refunds = refunds + excluded.refunds,
  chargebacks = chargebacks + excluded.chargebacks, revenue = revenue + excluded.revenue,
  refund_amount = refund_amount + excluded.refund_amount,
  commission_earned = commission_earned + excluded.commission_earned,
  commission_paid = commission_paid + excluded.commission_paid,
  commission_unpaid = commission_unpaid + excluded.commission_unpaid;

-- PUT /v2.0/recurring_payment/{preKey}, import, reading of upstreams, and 2 others
INSERT INTO recurring_sums (vendor_id, status, day, agreements, amount)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, status, day) DO UPDATE
SET agreements = agreements + excluded.agreements, amount = amount + excluded.amount;

-- POST /ledger/v1/records, import, upstreams run
INSERT INTO refund_cohorts (vendor_id, series, item_id, sale_month, refund_month, kind,
  transactions, amount)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, series, item_id, sale_month, refund_month, kind) DO UPDATE
SET transactions = transactions + excluded.transactions, amount = amount + excluded.amount;

-- POST /ledger/v1/records, import, upstreams run
INSERT INTO refund_counts (vendor_id, refund_day, sale_day, refunds)
VALUES (?, ?, ?, ?)
ON CONFLICT (vendor_id, refund_day, sale_day) DO UPDATE
SET refunds = refunds + excluded.refunds;

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO sale_counts (vendor_id, sale_day, sales)
VALUES (?, ?, ?)
ON CONFLICT (vendor_id, sale_day) DO UPDATE
SET sales = sales + excluded.sales;

-- import
INSERT INTO tracking_sums (vendor_id, series, kind, day, value_id, transactions, amount, earnings)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, series, kind, day, value_id) DO UPDATE
SET transactions = transactions + excluded.transactions, amount = amount + excluded.amount,
  earnings = earnings + excluded.earnings;

-- POST /ledger/v1/records, import
INSERT INTO unpaid_commissions (vendor_id, series, day, affiliate_id, sales, commission)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, series, day, affiliate_id) DO UPDATE
SET sales = sales + excluded.sales, commission = commission + excluded.commission;

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO vendor_sums (vendor_id, series, kind, day, item_id, transactions, amount, earnings,
  commissions, fees, agent, jv, taxes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, series, kind, day, item_id) DO UPDATE
SET transactions = transactions + excluded.transactions, amount = amount + excluded.amount,
  earnings = earnings + excluded.earnings, commissions = commissions + excluded.commissions,
  fees = fees + excluded.fees, agent = agent + excluded.agent, jv = jv + excluded.jv,
  taxes = taxes + excluded.taxes;
