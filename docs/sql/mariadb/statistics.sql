-- MySQL and MariaDB: The statistics of an affiliate of API 2.1. docs/testing.md describes this file.

-- GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}
SELECT CAST(COALESCE(SUM(clicks), 0) AS SIGNED) AS clicks, CAST(COALESCE(SUM(unique_clicks),
  0) AS SIGNED) AS unique_clicks
FROM daily_clicks
WHERE affiliate_id = ? AND product_id = ?;

-- GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}
SELECT CAST(sales AS CHAR) AS sales, CAST(refunds AS CHAR) AS refunds,
  CAST(chargebacks AS CHAR) AS chargebacks, CAST(revenue AS CHAR) AS revenue,
  CAST(refund_amount AS CHAR) AS refund_amount,
  CAST(commission_earned AS CHAR) AS commission_earned,
  CAST(commission_paid AS CHAR) AS commission_paid,
  CAST(commission_unpaid AS CHAR) AS commission_unpaid, (
  SELECT sale_date
  FROM transactions
  WHERE affiliate_id = ? AND product_id = ? AND status <> 'pending'
  ORDER BY sale_date ASC
  LIMIT 1) AS first_sale_date, (
  SELECT sale_date
  FROM transactions
  WHERE affiliate_id = ? AND product_id = ? AND status <> 'pending'
  ORDER BY sale_date DESC
  LIMIT 1) AS last_sale_date
FROM affiliate_sales
WHERE affiliate_id = ? AND product_id = ?;

-- GET /ledger/v1/changes, GET /ledger/v1/relationships, GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}, and 2 others
SELECT affiliate_id, product_id, created, status, comments, custom_commission, delayed_commission,
  custom_sales_page_url, custom_payment_1st_payout, custom_payment_trial_payout, overruled,
  record_version
FROM affiliations
WHERE ((affiliate_id = ? AND product_id = ?));

-- GET /ledger/v1/changes, GET /ledger/v1/recurring_payments, GET /ledger/v1/relationships, and 10 others
SELECT id, vendor_id, name, record_version, source_vendor_id, source_version
FROM products
WHERE id IN (?);

-- GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}
SELECT product_id
FROM transactions
WHERE affiliate_id = ? AND product_id = ?
LIMIT 1;

-- GET /ledger/v1/affiliates, GET /ledger/v1/changes, GET /ledger/v1/figures, and 13 others
SELECT u.id, CASE WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = ? THEN u.name
  WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name END AS name, CASE
  WHEN own.user_id IS NOT NULL THEN own.email WHEN u.source_vendor_id = ? THEN u.email
  WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.email END AS email, CASE
  WHEN own.user_id IS NOT NULL THEN own.display_name WHEN u.source_vendor_id = ? THEN u.display_name
  WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.display_name
  END AS display_name
FROM users u
LEFT JOIN vendor_users own ON own.vendor_id = ? AND own.user_id = u.id
LEFT JOIN vendor_affiliates given ON given.vendor_id = ? AND given.affiliate_id = u.id
WHERE u.id IN (?);
