-- MySQL and MariaDB: The detail of a transaction of API 2.1. docs/testing.md describes this file.

-- GET /v2.1/transaction/details/{paykey}
SELECT (
  SELECT revision
  FROM ledger_revisions
  WHERE vendor_id = ?) AS revision, t.vendor_id, t.sale_date, t.product_id, t.product_name,
    t.amount, t.status, t.pre_key, t.customer_email, t.customer_first_name, t.customer_last_name,
    t.customer_ip, t.customer_phone, t.vtid, t.tid, t.tax_total, t.international_sales_tax,
    t.national_sales_tax, t.vat_tax, t.shipping_fee, t.delivery_name, t.delivery_phone,
    t.delivery_address_line_1, t.delivery_address_line_2, t.delivery_city, t.delivery_region,
    t.delivery_postal_code, t.delivery_country, i.position, i.payee_amount, i.payee_user_id,
    i.payee_name, i.payout_type, i.payment_processor, i.payout_status,
    COALESCE(t.customer_processor_email, t.customer_email) AS processor_email,
    v.name AS vendor_name, v.email AS vendor_email, u.id AS affiliate_id, COALESCE(CASE
    WHEN own.user_id IS NOT NULL THEN own.display_name
    WHEN u.source_vendor_id = t.vendor_id THEN u.display_name WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.display_name END, CASE
    WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = t.vendor_id THEN u.name
    WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name
    END) AS affiliate_name, CASE WHEN own.user_id IS NOT NULL THEN own.email
    WHEN u.source_vendor_id = t.vendor_id THEN u.email WHEN given.vendor_id IS NOT NULL
    AND u.source_vendor_id IS NULL THEN u.email END AS affiliate_email
FROM transactions t
JOIN users v ON v.id = t.vendor_id
LEFT JOIN users u ON u.id = t.affiliate_id
LEFT JOIN vendor_users own ON own.vendor_id = t.vendor_id AND own.user_id = t.affiliate_id
LEFT JOIN vendor_affiliates given ON given.vendor_id = t.vendor_id
  AND given.affiliate_id = t.affiliate_id
LEFT JOIN payout_items i ON i.vendor_id = t.vendor_id AND i.arrival = t.arrival
WHERE t.vendor_id = ? AND t.transaction_id = ?
ORDER BY i.position;
