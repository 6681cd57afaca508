-- Takes a month out of a ledger that partition-by-month.sql has partitioned: here January 2024. The
-- rows stay in transactions_202401 and payout_items_202401; dump and drop these tables. For another
-- month replace each 202401 and each 2024-01.
--
-- Stop the service and every import first. From the exchange to the commit the counts include
-- transactions that are gone, and a list that reaches into the month fails.

CREATE TABLE transactions_202401 LIKE transactions;
ALTER TABLE transactions_202401 REMOVE PARTITIONING;
ALTER TABLE transactions EXCHANGE PARTITION p202401 WITH TABLE transactions_202401;
ALTER TABLE transactions DROP PARTITION p202401;
CREATE TABLE payout_items_202401 LIKE payout_items;

-- The refunds of the month's sales, by the day of the refund.
CREATE TEMPORARY TABLE refunded_202401
  SELECT vendor_id, product_id, affiliate_id, DATE(refund_date) AS day,
    CONCAT(SUBSTR(refund_date, 1, 7), '-01') AS month,
    CASE WHEN status = 'charged_back' THEN 'chargeback_by_refund' ELSE 'refund_by_refund' END AS kind,
    refund_amount AS amount, seller_refund_impact AS earnings,
    affiliate_refund_impact AS commission,
    affiliate_refund_impact + agent_refund_impact + jv_refund_impact AS commissions,
    service_fee_adjustment AS fees, agent_refund_impact AS agent, jv_refund_impact AS jv
  FROM transactions_202401 WHERE status <> 'pending' AND refund_date IS NOT NULL;

START TRANSACTION;

INSERT INTO payout_items_202401
  SELECT i.* FROM payout_items i JOIN transactions_202401 t
    ON t.vendor_id = i.vendor_id AND t.arrival = i.arrival;
DELETE i FROM payout_items i JOIN transactions_202401 t
  ON t.vendor_id = i.vendor_id AND t.arrival = i.arrival;
DELETE i FROM transaction_ids i JOIN transactions_202401 t ON t.transaction_id = i.transaction_id;

-- Rows under the day of the sale are deleted.
DELETE FROM sale_counts WHERE sale_day BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01');
DELETE FROM refund_counts WHERE sale_day BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01');
DELETE FROM refund_cohorts WHERE sale_month = '2024-01-01';
DELETE FROM vendor_sums
  WHERE day BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01') AND kind NOT LIKE '%by\_refund';
DELETE FROM affiliate_day_sums
  WHERE day BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01') AND kind NOT LIKE '%by\_refund';

-- From rows under the day of the refund, the refunds of the month's sales are subtracted.
INSERT INTO vendor_sums
    (vendor_id, series, kind, day, item_id, transactions, amount, earnings, commissions, fees,
      agent, jv, taxes)
  SELECT vendor_id, 'total', kind, day, 0, -COUNT(*), -SUM(amount), -SUM(earnings),
      -SUM(commissions), -SUM(fees), -SUM(agent), -SUM(jv), 0
    FROM refunded_202401 GROUP BY vendor_id, kind, day
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commissions = commissions + VALUES(commissions), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv);
INSERT INTO vendor_sums
    (vendor_id, series, kind, day, item_id, transactions, amount, earnings, commissions, fees,
      agent, jv, taxes)
  SELECT vendor_id, 'product', kind, day, product_id, -COUNT(*), -SUM(amount), -SUM(earnings),
      -SUM(commissions), -SUM(fees), -SUM(agent), -SUM(jv), 0
    FROM refunded_202401 GROUP BY vendor_id, kind, day, product_id
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commissions = commissions + VALUES(commissions), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv);
INSERT INTO vendor_sums
    (vendor_id, series, kind, day, item_id, transactions, amount, earnings, commissions, fees,
      agent, jv, taxes)
  SELECT vendor_id, 'product_month', kind, month, product_id, -COUNT(*), -SUM(amount),
      -SUM(earnings), -SUM(commissions), -SUM(fees), -SUM(agent), -SUM(jv), 0
    FROM refunded_202401 GROUP BY vendor_id, kind, month, product_id
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commissions = commissions + VALUES(commissions), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv);
INSERT INTO vendor_sums
    (vendor_id, series, kind, day, item_id, transactions, amount, earnings, commissions, fees,
      agent, jv, taxes)
  SELECT vendor_id, 'affiliate_month', kind, month, affiliate_id, -COUNT(*), -SUM(amount),
      -SUM(earnings), -SUM(commission), -SUM(fees), -SUM(agent), -SUM(jv), 0
    FROM refunded_202401 WHERE affiliate_id IS NOT NULL
    GROUP BY vendor_id, kind, month, affiliate_id
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commissions = commissions + VALUES(commissions), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv);
INSERT INTO affiliate_day_sums
    (vendor_id, kind, day, affiliate_id, product_id, transactions, amount, earnings, commission,
      fees, agent, jv, taxes)
  SELECT vendor_id, kind, day, affiliate_id, product_id, -COUNT(*), -SUM(amount), -SUM(earnings),
      -SUM(commission), -SUM(fees), -SUM(agent), -SUM(jv), 0
    FROM refunded_202401 WHERE affiliate_id IS NOT NULL
    GROUP BY vendor_id, kind, day, affiliate_id, product_id
ON DUPLICATE KEY UPDATE transactions = transactions + VALUES(transactions),
  amount = amount + VALUES(amount), earnings = earnings + VALUES(earnings),
  commission = commission + VALUES(commission), fees = fees + VALUES(fees),
  agent = agent + VALUES(agent), jv = jv + VALUES(jv);
DELETE FROM vendor_sums WHERE transactions = 0;
DELETE FROM affiliate_day_sums WHERE transactions = 0;

-- Unpaid commissions of the month are subtracted from the totals.
INSERT INTO unpaid_commissions (vendor_id, series, day, affiliate_id, sales, commission)
  SELECT vendor_id, 'total', '1970-01-01', affiliate_id, -SUM(sales), -SUM(commission)
    FROM unpaid_commissions
    WHERE series = 'day' AND day BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01')
    GROUP BY vendor_id, affiliate_id
ON DUPLICATE KEY UPDATE sales = sales + VALUES(sales),
  commission = commission + VALUES(commission);
DELETE FROM unpaid_commissions
  WHERE series = 'day' AND day BETWEEN '2024-01-01' AND LAST_DAY('2024-01-01');
DELETE FROM unpaid_commissions WHERE sales = 0;

INSERT INTO affiliate_sales (affiliate_id, product_id, sales, refunds, chargebacks, revenue,
    refund_amount, commission_earned, commission_paid, commission_unpaid)
  SELECT affiliate_id, product_id, -COUNT(*), -SUM(status = 'refunded'),
      -SUM(status = 'charged_back'), -SUM(amount), -SUM(COALESCE(refund_amount, 0)),
      -SUM(affiliate_payout + COALESCE(affiliate_refund_impact, 0)),
      -SUM((affiliate_commission_status = 'PAID')
        * (affiliate_payout + COALESCE(affiliate_refund_impact, 0))),
      -SUM((affiliate_commission_status = 'UNPAID')
        * (affiliate_payout + COALESCE(affiliate_refund_impact, 0)))
    FROM transactions_202401 WHERE affiliate_id IS NOT NULL AND status <> 'pending'
    GROUP BY affiliate_id, product_id
ON DUPLICATE KEY UPDATE sales = sales + VALUES(sales), refunds = refunds + VALUES(refunds),
  chargebacks = chargebacks + VALUES(chargebacks), revenue = revenue + VALUES(revenue),
  refund_amount = refund_amount + VALUES(refund_amount),
  commission_earned = commission_earned + VALUES(commission_earned),
  commission_paid = commission_paid + VALUES(commission_paid),
  commission_unpaid = commission_unpaid + VALUES(commission_unpaid);
DELETE FROM affiliate_sales WHERE sales = 0;

-- Pages in the caches of clients and instances have the previous revision.
UPDATE ledger_revisions SET revision = revision + 1
  WHERE vendor_id IN (SELECT DISTINCT vendor_id FROM transactions_202401);

COMMIT;

DROP TEMPORARY TABLE refunded_202401;
