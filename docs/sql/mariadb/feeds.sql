-- MySQL and MariaDB: Both feeds of API 2.0. docs/testing.md describes this file.

-- GET /v2.0/latest-transactions/{paykey}
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.vendor_id, t.arrival, t.transaction_id, t.sale_date,
    t.product_id, t.product_name, t.amount, t.status, t.customer_email, t.customer_first_name,
    t.customer_last_name, t.customer_ip, t.affiliate_id, t.affiliate_commission_status,
    t.affiliate_payout, COALESCE(t.customer_processor_email, t.customer_email) AS processor_email,
    COALESCE(CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END, CASE
    WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = t.vendor_id THEN u.name
    WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name
    END) AS affiliate_name
FROM (
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date
    FROM transactions /*! FORCE INDEX (transactions_by_sale) */
    WHERE vendor_id = ? AND sale_date = ? AND arrival > ?
    ORDER BY arrival ASC
    LIMIT ?) range_1
  UNION ALL
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date
    FROM transactions /*! FORCE INDEX (transactions_by_sale) */
    WHERE vendor_id = ? AND sale_date > ?
    ORDER BY sale_date ASC, arrival ASC
    LIMIT ?) range_2
  ORDER BY sale_date ASC, arrival ASC
  LIMIT ?) next
JOIN transactions t ON t.vendor_id = next.vendor_id AND t.arrival = next.arrival
  AND t.sale_date = next.sale_date
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /v2.0/latest-affiliates-transactions/{paykey}
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.vendor_id, t.arrival, t.transaction_id, t.sale_date,
    t.product_id, t.product_name, t.amount, t.status, t.customer_email, t.customer_first_name,
    t.customer_last_name, t.customer_ip, t.affiliate_id, t.affiliate_commission_status,
    t.affiliate_payout, COALESCE(t.customer_processor_email, t.customer_email) AS processor_email,
    COALESCE(u.display_name, u.name) AS affiliate_name
FROM (
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date
    FROM transactions /*! FORCE INDEX (transactions_by_affiliate) */
    WHERE affiliate_id = ? AND sale_date = ? AND vendor_id = ? AND arrival > ?
    ORDER BY arrival ASC
    LIMIT ?) range_1
  UNION ALL
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date
    FROM transactions /*! FORCE INDEX (transactions_by_affiliate) */
    WHERE affiliate_id = ? AND sale_date = ? AND vendor_id > ?
    ORDER BY vendor_id ASC, arrival ASC
    LIMIT ?) range_2
  UNION ALL
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date
    FROM transactions /*! FORCE INDEX (transactions_by_affiliate) */
    WHERE affiliate_id = ? AND sale_date > ?
    ORDER BY sale_date ASC, vendor_id ASC, arrival ASC
    LIMIT ?) range_3
  ORDER BY sale_date ASC, vendor_id ASC, arrival ASC
  LIMIT ?) next
JOIN transactions t ON t.vendor_id = next.vendor_id AND t.arrival = next.arrival
  AND t.sale_date = next.sale_date
LEFT JOIN users u ON u.id = t.affiliate_id;

-- GET /v2.0/latest-transactions/{paykey}
SELECT l.revision, t.sale_date, t.vendor_id, t.arrival
FROM ledger_revisions l
LEFT JOIN transactions t ON t.vendor_id = l.vendor_id AND t.transaction_id = ?
WHERE l.vendor_id = ?;

-- GET /v2.0/latest-affiliates-transactions/{paykey}
SELECT sale_date, vendor_id, arrival
FROM transactions
WHERE transaction_id = ? AND affiliate_id = ?;
