-- MySQL and MariaDB: The changes of a ledger. docs/testing.md describes this file.

-- GET /ledger/v1/changes, POST /ledger/v1/webhooks/{id}/replay, POST /ledger/v1/webhooks/{id}/skip, and 2 others
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.arrival, t.rendered, CASE
    WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END AS affiliate_display_name
FROM transactions t
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id
WHERE t.vendor_id = ? AND t.arrival IN (?);

-- GET /ledger/v1/changes, GET /ledger/v1/transactions.csv, reports of a vendor
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
FROM transactions t
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id
WHERE t.vendor_id = ? AND t.arrival IN (?);

-- GET /ledger/v1/changes, POST /ledger/v1/webhooks/{id}/replay, POST /ledger/v1/webhooks/{id}/skip, and 2 others
SELECT *
FROM (
  SELECT arrival, arrival AS place, COALESCE(refund_date, sale_date) AS changed_at, product_id,
    reasons, status, refund_date
  FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
  WHERE vendor_id = ? AND sequence IS NULL AND arrival > ?
  ORDER BY arrival
  LIMIT ?) early
UNION ALL
SELECT *
FROM (
  SELECT arrival, sequence AS place, changed_at, product_id, reasons, status, refund_date
  FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
  WHERE vendor_id = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) late;

-- GET /ledger/v1/changes
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) affiliates
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_transactions
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_recurring_payments
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_relationships
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_products
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_affiliates;

-- GET /ledger/v1/changes, POST /ledger/v1/webhooks/{id}/replay, POST /ledger/v1/webhooks/{id}/skip, and 2 others
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) recurring_payments
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) relationships
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) products
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) affiliates
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_transactions
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_recurring_payments
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_relationships
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_products
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_affiliates;

-- GET /ledger/v1/changes
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_transactions
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_recurring_payments
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_relationships
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_products
UNION ALL
SELECT *
FROM (
  SELECT kind, record_key, sequence, changed_at, reasons
  FROM changed_records
  WHERE vendor_id = ? AND kind = ? AND sequence > ?
  ORDER BY sequence
  LIMIT ?) removed_affiliates;

-- GET /ledger/v1/changes, POST /ledger/v1/webhooks/{id}/skip, deliveries of webhooks
SELECT affiliate_id, product_id, COALESCE(OCTET_LENGTH(comments),
  0) + COALESCE(OCTET_LENGTH(custom_sales_page_url), 0) AS bytes
FROM affiliations
WHERE ((affiliate_id = ? AND product_id = ?));

-- GET /ledger/v1/changes, POST /ledger/v1/webhooks/{id}/replay, POST /ledger/v1/webhooks/{id}/skip, and 2 others
SELECT pre_key, OCTET_LENGTH(referrer) AS bytes
FROM recurring_payments
WHERE pre_key IN (?);

-- GET /ledger/v1/changes, GET /ledger/v1/recurring_payments, POST /ledger/v1/webhooks/{id}/replay, and 6 others
SELECT pre_key, id, product_id, status, current_payments, max_number_of_payments,
  max_total_of_all_payments, max_amount_per_payment, next_payment, processor_email, contact_email,
  code, price, payment_period, payment_count, payment_first_payout, has_payment_trial,
  payment_trial_price, payment_trial_period, payment_trial_payout, payout, current_payments_amount,
  created, sender_email, last_date, next_date, ip, referrer, tid, vtid, overruled, record_version,
  vendor_id, status_word
FROM recurring_payments
WHERE pre_key IN (?);

-- GET /ledger/v1/changes, POST /ledger/v1/webhooks/{id}/replay, POST /ledger/v1/webhooks/{id}/skip, and 2 others
SELECT t.arrival, COALESCE(OCTET_LENGTH(t.rendered), COALESCE(OCTET_LENGTH(t.vtid),
  0) + COALESCE(OCTET_LENGTH(t.custom), 0) + COALESCE(OCTET_LENGTH(t.tid),
  0) + COALESCE(OCTET_LENGTH(t.utm_source), 0) + COALESCE(OCTET_LENGTH(t.utm_medium),
  0) + COALESCE(OCTET_LENGTH(t.utm_campaign), 0) + COALESCE(OCTET_LENGTH(t.utm_content),
  0) + COALESCE(OCTET_LENGTH(t.utm_term), 0) + COALESCE(OCTET_LENGTH(t.sub_id1),
  0) + COALESCE(OCTET_LENGTH(t.sub_id2), 0) + COALESCE(OCTET_LENGTH(t.sub_id3),
  0) + COALESCE(OCTET_LENGTH(t.sub_id4), 0) + COALESCE(OCTET_LENGTH(t.sub_id5),
  0) + COALESCE(OCTET_LENGTH(t.gclid), 0) + COALESCE(OCTET_LENGTH(t.fbclid),
  0) + COALESCE(OCTET_LENGTH(t.msclkid), 0) + COALESCE(OCTET_LENGTH(t.ttclid),
  0) + COALESCE(OCTET_LENGTH(t.li_fat_id), 0) + COALESCE(OCTET_LENGTH(t.twclid),
  0) + COALESCE(OCTET_LENGTH(t.yclid), 0) + COALESCE(OCTET_LENGTH(t.other_params),
  0) + 8192) AS bytes
FROM transactions t
WHERE t.vendor_id = ? AND t.arrival IN (?);
