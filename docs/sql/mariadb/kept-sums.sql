-- MySQL and MariaDB: Kept sums, as writers of the ledger keep them. docs/testing.md describes this file.

-- POST /ledger/v1/records, import, sources remove
DELETE FROM affiliate_day_sums
WHERE ((vendor_id = ? AND kind = ? AND day = ? AND affiliate_id = ? AND product_id = ?))
  AND transactions = 0;

-- import, sources remove
DELETE FROM affiliate_sales
WHERE ((affiliate_id = ? AND product_id = ?)) AND sales = 0;

-- PUT /v2.0/recurring_payment/{preKey}, import, sources remove
DELETE FROM recurring_sums
WHERE ((vendor_id = ? AND status = ? AND day = ?)) AND agreements = 0;

-- POST /ledger/v1/records, import
DELETE FROM refund_cohorts
WHERE ((vendor_id = ? AND series = ? AND item_id = ? AND sale_month = ? AND refund_month = ?
  AND kind = ?)) AND transactions = 0;

-- POST /ledger/v1/records, import
DELETE FROM refund_counts
WHERE ((vendor_id = ? AND refund_day = ? AND sale_day = ?)) AND refunds = 0;

-- POST /ledger/v1/records, import, sources remove
DELETE FROM sale_counts
WHERE ((vendor_id = ? AND sale_day = ?)) AND sales = 0;

-- import
DELETE FROM tracking_sums
WHERE ((vendor_id = ? AND series = ? AND kind = ? AND day = ? AND value_id = ?))
  AND transactions = 0;

-- import
DELETE FROM unpaid_commissions
WHERE ((vendor_id = ? AND series = ? AND day = ? AND affiliate_id = ?)) AND sales = 0;

-- POST /ledger/v1/records, import, sources remove
DELETE FROM vendor_sums
WHERE ((vendor_id = ? AND series = ? AND kind = ? AND day = ? AND item_id = ?)) AND transactions = 0;

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO affiliate_day_sums (vendor_id, kind, day, affiliate_id, product_id, transactions,
  amount, earnings, commission, fees, agent, jv, taxes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commission = commission + VALUES(commission), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv), taxes = taxes + VALUES(taxes);

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO affiliate_sales (affiliate_id, product_id, sales, refunds, chargebacks, revenue,
  refund_amount, commission_earned, commission_paid, commission_unpaid)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE sales = sales + VALUES(sales), refunds = refunds + VALUES(refunds),
  chargebacks = chargebacks + VALUES(chargebacks), revenue = revenue + VALUES(revenue),
  refund_amount = refund_amount + VALUES(refund_amount),
  commission_earned = commission_earned + VALUES(commission_earned),
  commission_paid = commission_paid + VALUES(commission_paid),
  commission_unpaid = commission_unpaid + VALUES(commission_unpaid);

-- PUT /v2.0/recurring_payment/{preKey}, import, reading of upstreams, and 2 others
INSERT INTO recurring_sums (vendor_id, status, day, agreements, amount)
VALUES (?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE agreements = agreements + VALUES(agreements),
  amount = amount + VALUES(amount);

-- POST /ledger/v1/records, import, upstreams run
INSERT INTO refund_cohorts (vendor_id, series, item_id, sale_month, refund_month, kind,
  transactions, amount)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount);

-- POST /ledger/v1/records, import, upstreams run
INSERT INTO refund_counts (vendor_id, refund_day, sale_day, refunds)
VALUES (?, ?, ?, ?)
ON DUPLICATE KEY UPDATE refunds = refunds + VALUES(refunds);

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO sale_counts (vendor_id, sale_day, sales)
VALUES (?, ?, ?)
ON DUPLICATE KEY UPDATE sales = sales + VALUES(sales);

-- import
INSERT INTO tracking_sums (vendor_id, series, kind, day, value_id, transactions, amount, earnings)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings);

-- import
INSERT INTO tracking_values (vendor_id, field, id, value)
VALUES (?, ?, ?, ?);

-- POST /ledger/v1/records, import
INSERT INTO unpaid_commissions (vendor_id, series, day, affiliate_id, sales, commission)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE sales = sales + VALUES(sales), commission = commission + VALUES(commission);

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
INSERT INTO vendor_sums (vendor_id, series, kind, day, item_id, transactions, amount, earnings,
  commissions, fees, agent, jv, taxes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commissions = commissions + VALUES(commissions), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv), taxes = taxes + VALUES(taxes);

-- POST /ledger/v1/records, import, reading of upstreams, upstreams run
SELECT affiliate_id, product_id
FROM affiliate_sales
WHERE ((affiliate_id = ? AND product_id = ?));

-- GET /ledger/v1/figures, import, tracking
SELECT id, value
FROM tracking_values
WHERE vendor_id = ? AND field = ?;

-- import, sources remove
SELECT item_id, CAST(SUM(transactions) AS SIGNED) AS sales
FROM vendor_sums
WHERE item_id IN (?) AND vendor_id = ? AND series = ? AND kind IN ('sale', 'pending')
GROUP BY item_id;

-- import
SELECT vendor_id, field, MAX(id) AS id
FROM tracking_values
WHERE ((vendor_id = ? AND field = ?))
GROUP BY vendor_id, field;

-- import
SELECT vendor_id, field, id, value
FROM tracking_values
WHERE ((vendor_id = ? AND field = ? AND value = ?));
