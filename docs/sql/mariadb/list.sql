-- MySQL and MariaDB: The list of API 3.0. docs/testing.md describes this file.

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.arrival, t.affiliate_id, CASE
    WHEN COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ? THEN t.rendered END AS rendered
FROM transactions t /*! FORCE INDEX (transactions_by_sale) */
WHERE t.vendor_id = ? AND t.sale_date BETWEEN ? AND ?
ORDER BY t.sale_date DESC, t.arrival DESC
LIMIT ? OFFSET ?;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.arrival, t.affiliate_id, CASE
    WHEN COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ? THEN t.rendered END AS rendered, CASE
    WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name
FROM transactions t /*! FORCE INDEX (transactions_by_sale) */
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id
WHERE t.vendor_id = ? AND t.sale_date BETWEEN ? AND ?
ORDER BY t.sale_date DESC, t.arrival DESC
LIMIT ? OFFSET ?;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.arrival, t.rendered, CASE
    WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name
FROM (
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date AS sale_date
    FROM transactions
    WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?
    ORDER BY sale_date DESC, arrival DESC
    LIMIT ? OFFSET ?) sold
  UNION ALL
  SELECT *
  FROM (
    SELECT vendor_id, arrival, refunded_sale_date AS sale_date
    FROM transactions
    WHERE vendor_id = ? AND refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?
    ORDER BY refunded_sale_date DESC, arrival DESC
    LIMIT ? OFFSET ?) refunded) page
LEFT JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival
  AND t.sale_date = page.sale_date AND COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ?
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.arrival, t.rendered, CASE
    WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name
FROM (
  SELECT vendor_id, arrival, refunded_sale_date AS sale_date
  FROM transactions
  WHERE vendor_id = ? AND refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?
  ORDER BY refunded_sale_date DESC, arrival DESC
  LIMIT ? OFFSET ?) page
LEFT JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival
  AND t.sale_date = page.sale_date AND COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ?
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.arrival, t.rendered, CASE
    WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name
FROM (
  SELECT vendor_id, arrival, sale_date AS sale_date
  FROM transactions
  WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?
  ORDER BY sale_date DESC, arrival DESC
  LIMIT ? OFFSET ?) page
LEFT JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival
  AND t.sale_date = page.sale_date AND COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ?
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.vendor_id, t.arrival, t.transaction_id, t.sale_date,
    t.product_id, t.product_name, t.amount, t.status, t.customer_email, t.customer_first_name,
    t.customer_last_name, t.affiliate_id, t.vtid, t.custom, t.tid, t.utm_source, t.utm_medium,
    t.utm_campaign, t.utm_content, t.utm_term, t.sub_id1, t.sub_id2, t.sub_id3, t.sub_id4,
    t.sub_id5, t.gclid, t.fbclid, t.msclkid, t.ttclid, t.li_fat_id, t.twclid, t.yclid,
    t.other_params, t.seller_earnings, t.affiliate_payout, t.agent_payout, t.jv_payout,
    t.service_fee, t.refund_date, t.refund_amount, t.seller_refund_impact,
    t.affiliate_refund_impact, t.agent_refund_impact, t.jv_refund_impact, t.service_fee_adjustment,
    CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name,
    COALESCE(NULLIF(CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END, ''), NULLIF(CASE
    WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = t.vendor_id THEN u.name
    WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name END,
    '')) AS affiliate_name
FROM (
  SELECT *
  FROM (
    SELECT vendor_id, arrival, sale_date AS sale_date
    FROM transactions
    WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?
    ORDER BY sale_date DESC, arrival DESC
    LIMIT ? OFFSET ?) sold
  UNION ALL
  SELECT *
  FROM (
    SELECT vendor_id, arrival, refunded_sale_date AS sale_date
    FROM transactions
    WHERE vendor_id = ? AND refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?
    ORDER BY refunded_sale_date DESC, arrival DESC
    LIMIT ? OFFSET ?) refunded) page
LEFT JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival
  AND t.sale_date = page.sale_date AND COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ?
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.vendor_id, t.arrival, t.transaction_id, t.sale_date,
    t.product_id, t.product_name, t.amount, t.status, t.customer_email, t.customer_first_name,
    t.customer_last_name, t.affiliate_id, t.vtid, t.custom, t.tid, t.utm_source, t.utm_medium,
    t.utm_campaign, t.utm_content, t.utm_term, t.sub_id1, t.sub_id2, t.sub_id3, t.sub_id4,
    t.sub_id5, t.gclid, t.fbclid, t.msclkid, t.ttclid, t.li_fat_id, t.twclid, t.yclid,
    t.other_params, t.seller_earnings, t.affiliate_payout, t.agent_payout, t.jv_payout,
    t.service_fee, t.refund_date, t.refund_amount, t.seller_refund_impact,
    t.affiliate_refund_impact, t.agent_refund_impact, t.jv_refund_impact, t.service_fee_adjustment,
    CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name,
    COALESCE(NULLIF(CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END, ''), NULLIF(CASE
    WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = t.vendor_id THEN u.name
    WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name END,
    '')) AS affiliate_name
FROM (
  SELECT vendor_id, arrival, refunded_sale_date AS sale_date
  FROM transactions
  WHERE vendor_id = ? AND refunded_sale_date BETWEEN ? AND ? AND refund_date BETWEEN ? AND ?
  ORDER BY refunded_sale_date DESC, arrival DESC
  LIMIT ? OFFSET ?) page
LEFT JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival
  AND t.sale_date = page.sale_date AND COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ?
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /v3.0/transactions
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.vendor_id, t.arrival, t.transaction_id, t.sale_date,
    t.product_id, t.product_name, t.amount, t.status, t.customer_email, t.customer_first_name,
    t.customer_last_name, t.affiliate_id, t.vtid, t.custom, t.tid, t.utm_source, t.utm_medium,
    t.utm_campaign, t.utm_content, t.utm_term, t.sub_id1, t.sub_id2, t.sub_id3, t.sub_id4,
    t.sub_id5, t.gclid, t.fbclid, t.msclkid, t.ttclid, t.li_fat_id, t.twclid, t.yclid,
    t.other_params, t.seller_earnings, t.affiliate_payout, t.agent_payout, t.jv_payout,
    t.service_fee, t.refund_date, t.refund_amount, t.seller_refund_impact,
    t.affiliate_refund_impact, t.agent_refund_impact, t.jv_refund_impact, t.service_fee_adjustment,
    CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name,
    COALESCE(NULLIF(CASE WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END, ''), NULLIF(CASE
    WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = t.vendor_id THEN u.name
    WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name END,
    '')) AS affiliate_name
FROM (
  SELECT vendor_id, arrival, sale_date AS sale_date
  FROM transactions
  WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?
  ORDER BY sale_date DESC, arrival DESC
  LIMIT ? OFFSET ?) page
LEFT JOIN transactions t ON t.vendor_id = page.vendor_id AND t.arrival = page.arrival
  AND t.sale_date = page.sale_date AND COALESCE(OCTET_LENGTH(t.rendered), 65536) <= ?
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id;

-- GET /ledger/v1/transactions.csv, GET /ledger/v1/transactions.ndjson, GET /v3.0/transactions
SELECT NULL AS day, revision AS count
FROM ledger_revisions
WHERE vendor_id = ?
UNION ALL
SELECT sale_day, SUM(refunds + 0e0)
FROM ledger_revisions l
JOIN refund_counts r ON r.vendor_id = l.vendor_id
WHERE l.vendor_id = ? AND r.vendor_id = ? AND refund_day BETWEEN ? AND ?
  AND refund_day <= COALESCE(DATE_ADD(CAST(? AS DATE), INTERVAL l.longest_refund_days DAY),
  DATE '9999-12-31') AND sale_day < ?
GROUP BY sale_day;

-- GET /ledger/v1/transactions.csv, GET /ledger/v1/transactions.ndjson, GET /v3.0/transactions
SELECT NULL AS day, revision AS count, (
  SELECT SUM(refunds + 0e0)
  FROM refund_counts
  WHERE vendor_id = ? AND refund_day BETWEEN ? AND ?
    AND refund_day <= COALESCE(DATE_ADD(CAST(? AS DATE), INTERVAL l.longest_refund_days DAY),
    DATE '9999-12-31') AND sale_day < ?) AS refunds
FROM ledger_revisions l
WHERE vendor_id = ?
UNION ALL
SELECT sale_day, sales, NULL
FROM sale_counts
WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?;

-- GET /v3.0/transactions
SELECT SUBSTR(sale_date, 12, 4) AS time, COUNT(*) AS count, (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision
FROM transactions /*! FORCE INDEX (transactions_by_sale) */
WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?
GROUP BY time;
