-- SQLite: Everything else of an import and a records batch. docs/testing.md describes this file.

-- import
DELETE FROM recovery_codes
WHERE user_id = 90;

-- import, users set-password
DELETE FROM sessions
WHERE user_id = 90;

-- import
DELETE FROM user_passwords
WHERE user_id = 90;

-- import
DELETE FROM user_two_factor
WHERE user_id = 90;

-- PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, affiliates, import
INSERT INTO affiliations (affiliate_id, product_id, created, status, comments, custom_commission,
  delayed_commission, custom_sales_page_url, custom_payment_1st_payout, custom_payment_trial_payout,
  overruled, record_version)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (affiliate_id, product_id) DO UPDATE
SET created = excluded.created, status = excluded.status, comments = excluded.comments,
  custom_commission = excluded.custom_commission, delayed_commission = excluded.delayed_commission,
  custom_sales_page_url = excluded.custom_sales_page_url,
  custom_payment_1st_payout = excluded.custom_payment_1st_payout,
  custom_payment_trial_payout = excluded.custom_payment_trial_payout,
  overruled = excluded.overruled, record_version = excluded.record_version;

-- POST /ledger/v1/records, import, keys create, and 4 others
INSERT INTO audit_log(id, created, user_id, application_id, source, action, subject, state_before,
  state_after, account_id)
VALUES (NULL, ?, 0, 8, ?, ?, ?, ?, ?, 90);

-- POST /ledger/v1/records, PUT /v2.0/recurring_payment/{preKey}, PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, and 6 others
INSERT INTO changed_records (vendor_id, kind, record_key, sequence, changed_at, reasons)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, kind, record_key) DO UPDATE
SET sequence = excluded.sequence, changed_at = excluded.changed_at, reasons = excluded.reasons;

-- import
INSERT INTO daily_clicks (affiliate_id, product_id, date, clicks, unique_clicks, record_version)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (affiliate_id, product_id, date) DO UPDATE
SET clicks = excluded.clicks, unique_clicks = excluded.unique_clicks,
  record_version = excluded.record_version;

-- import
INSERT INTO dry_run_records (name, record)
VALUES (?, ?)
ON CONFLICT (name) DO UPDATE
SET record = excluded.record;

-- import
INSERT INTO open_imports(id, vendor_id, ends)
VALUES (?, 0, ?)
ON CONFLICT (id) DO UPDATE
SET id = EXCLUDED.id, vendor_id = EXCLUDED.vendor_id, ends = EXCLUDED.ends;

-- POST /ledger/v1/records, import
INSERT INTO products (id, vendor_id, name, record_version, source_vendor_id, source_version)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
SET vendor_id = excluded.vendor_id, name = excluded.name, record_version = excluded.record_version,
  source_vendor_id = excluded.source_vendor_id, source_version = excluded.source_version;

-- import, people erase, reading of upstreams
INSERT INTO recurring_payments (pre_key, id, product_id, status, current_payments,
  max_number_of_payments, max_total_of_all_payments, max_amount_per_payment, next_payment,
  processor_email, contact_email, code, price, payment_period, payment_count, payment_first_payout,
  has_payment_trial, payment_trial_price, payment_trial_period, payment_trial_payout, payout,
  current_payments_amount, created, sender_email, last_date, next_date, ip, referrer, tid, vtid,
  overruled, record_version, vendor_id, status_word)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?)
ON CONFLICT (pre_key) DO UPDATE
SET id = excluded.id, product_id = excluded.product_id, status = excluded.status,
  current_payments = excluded.current_payments,
  max_number_of_payments = excluded.max_number_of_payments,
  max_total_of_all_payments = excluded.max_total_of_all_payments,
  max_amount_per_payment = excluded.max_amount_per_payment, next_payment = excluded.next_payment,
  processor_email = excluded.processor_email, contact_email = excluded.contact_email,
  code = excluded.code, price = excluded.price, payment_period = excluded.payment_period,
  payment_count = excluded.payment_count, payment_first_payout = excluded.payment_first_payout,
  has_payment_trial = excluded.has_payment_trial,
  payment_trial_price = excluded.payment_trial_price,
  payment_trial_period = excluded.payment_trial_period,
  payment_trial_payout = excluded.payment_trial_payout, payout = excluded.payout,
  current_payments_amount = excluded.current_payments_amount, created = excluded.created,
  sender_email = excluded.sender_email, last_date = excluded.last_date,
  next_date = excluded.next_date, ip = excluded.ip, referrer = excluded.referrer,
  tid = excluded.tid, vtid = excluded.vtid, overruled = excluded.overruled,
  record_version = excluded.record_version, vendor_id = excluded.vendor_id,
  status_word = excluded.status_word;

-- POST /ledger/v1/records, import, people erase, and 2 others
INSERT INTO transactions (transaction_id, sale_date, product_id, product_name, amount, status,
  pre_key, customer_email, customer_first_name, customer_last_name, customer_ip, customer_phone,
  customer_processor_email, affiliate_id, affiliate_commission_status, vtid, custom, tid,
  utm_source, utm_medium, utm_campaign, utm_content, utm_term, sub_id1, sub_id2, sub_id3, sub_id4,
  sub_id5, gclid, fbclid, msclkid, ttclid, li_fat_id, twclid, yclid, other_params, seller_earnings,
  affiliate_payout, agent_payout, jv_payout, service_fee, refund_date, refund_amount,
  seller_refund_impact, affiliate_refund_impact, agent_refund_impact, jv_refund_impact,
  service_fee_adjustment, tax_total, international_sales_tax, national_sales_tax, vat_tax,
  shipping_fee, delivery_name, delivery_phone, delivery_address_line_1, delivery_address_line_2,
  delivery_city, delivery_region, delivery_postal_code, delivery_country, vendor_id, arrival,
  refunded_sale_date, rendered, record_version, sequence, changed_at, reasons)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, arrival) DO UPDATE
SET transaction_id = excluded.transaction_id, sale_date = excluded.sale_date,
  product_id = excluded.product_id, product_name = excluded.product_name, amount = excluded.amount,
  status = excluded.status, pre_key = excluded.pre_key, customer_email = excluded.customer_email,
  customer_first_name = excluded.customer_first_name,
  customer_last_name = excluded.customer_last_name, customer_ip = excluded.customer_ip,
  customer_phone = excluded.customer_phone,
  customer_processor_email = excluded.customer_processor_email,
  affiliate_id = excluded.affiliate_id,
  affiliate_commission_status = excluded.affiliate_commission_status, vtid = excluded.vtid,
  custom = excluded.custom, tid = excluded.tid, utm_source = excluded.utm_source,
  utm_medium = excluded.utm_medium, utm_campaign = excluded.utm_campaign,
  utm_content = excluded.utm_content, utm_term = excluded.utm_term, sub_id1 = excluded.sub_id1,
  sub_id2 = excluded.sub_id2, sub_id3 = excluded.sub_id3, sub_id4 = excluded.sub_id4,
  sub_id5 = excluded.sub_id5, gclid = excluded.gclid, fbclid = excluded.fbclid,
  msclkid = excluded.msclkid, ttclid = excluded.ttclid, li_fat_id = excluded.li_fat_id,
  twclid = excluded.twclid, yclid = excluded.yclid, other_params = excluded.other_params,
  seller_earnings = excluded.seller_earnings, affiliate_payout = excluded.affiliate_payout,
  agent_payout = excluded.agent_payout, jv_payout = excluded.jv_payout,
  service_fee = excluded.service_fee, refund_date = excluded.refund_date,
  refund_amount = excluded.refund_amount, seller_refund_impact = excluded.seller_refund_impact,
  affiliate_refund_impact = excluded.affiliate_refund_impact,
  agent_refund_impact = excluded.agent_refund_impact, jv_refund_impact = excluded.jv_refund_impact,
  service_fee_adjustment = excluded.service_fee_adjustment, tax_total = excluded.tax_total,
  international_sales_tax = excluded.international_sales_tax,
  national_sales_tax = excluded.national_sales_tax, vat_tax = excluded.vat_tax,
  shipping_fee = excluded.shipping_fee, delivery_name = excluded.delivery_name,
  delivery_phone = excluded.delivery_phone,
  delivery_address_line_1 = excluded.delivery_address_line_1,
  delivery_address_line_2 = excluded.delivery_address_line_2,
  delivery_city = excluded.delivery_city, delivery_region = excluded.delivery_region,
  delivery_postal_code = excluded.delivery_postal_code,
  delivery_country = excluded.delivery_country, refunded_sale_date = excluded.refunded_sale_date,
  rendered = excluded.rendered, record_version = excluded.record_version,
  sequence = excluded.sequence, changed_at = excluded.changed_at, reasons = excluded.reasons;

-- import, reading of upstreams, upstreams run
INSERT INTO users (id, name, email, display_name, status, source_vendor_id, admitted, sign_in_email,
  record_version)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, email = excluded.email, display_name = excluded.display_name,
  status = excluded.status, source_vendor_id = excluded.source_vendor_id,
  admitted = excluded.admitted, sign_in_email = excluded.sign_in_email,
  record_version = excluded.record_version;

-- import
INSERT INTO vendor_affiliates (vendor_id, affiliate_id)
VALUES (?, ?)
ON CONFLICT (vendor_id, affiliate_id) DO UPDATE
SET affiliate_id = excluded.affiliate_id;

-- POST /ledger/v1/records, reading of upstreams, upstreams run
INSERT INTO vendor_users (vendor_id, user_id, name, email, display_name, record_version)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (vendor_id, user_id) DO UPDATE
SET name = excluded.name, email = excluded.email, display_name = excluded.display_name,
  record_version = excluded.record_version;

-- import
SELECT ApiApplication.id AS ApiApplication_id
FROM api_applications ApiApplication
WHERE ((ApiApplication.user_id = 90) AND (ApiApplication.state = ?)
  AND (ApiApplication.access != ?));

-- import
SELECT ApiApplication.id AS ApiApplication_id, ApiApplication.user_id AS ApiApplication_user_id,
  ApiApplication.name AS ApiApplication_name, ApiApplication.state AS ApiApplication_state,
  ApiApplication.created AS ApiApplication_created,
  ApiApplication.expires AS ApiApplication_expires,
  ApiApplication.address_allow_list AS ApiApplication_address_allow_list,
  ApiApplication.limits AS ApiApplication_limits,
  ApiApplication.last_shown AS ApiApplication_last_shown,
  ApiApplication.access AS ApiApplication_access,
  ApiApplication.mcp_writes AS ApiApplication_mcp_writes
FROM api_applications ApiApplication
WHERE ((ApiApplication.id = 8));

-- import
SELECT affiliate_id, product_id, date, clicks, unique_clicks, record_version
FROM daily_clicks
WHERE ((affiliate_id = ? AND product_id = ? AND date = ?));

-- POST /ledger/v1/records, import, people erase, and 5 others
SELECT id
FROM users
WHERE id IN (?)
ORDER BY id;

-- POST /ledger/v1/records, import, sources remove, upstreams run
SELECT id, vendor_id, name, record_version, source_vendor_id, source_version
FROM products
WHERE id IN (?)
ORDER BY id;

-- PUT /v2.0/recurring_payment/{preKey}, import, people erase, reading of upstreams
SELECT record_key, sequence, reasons
FROM changed_records
WHERE ((vendor_id = ? AND kind = ? AND record_key = ?));

-- import
UPDATE api_applications
SET state = ?
WHERE id = 8;
