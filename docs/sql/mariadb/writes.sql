-- MySQL and MariaDB: Everything else of an import and a records batch. docs/testing.md describes this file.

-- POST /ledger/v1/records, PUT /v2.0/recurring_payment/{preKey}, PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, and 4 others
DELETE FROM changed_records
WHERE ((vendor_id = ? AND kind = ? AND record_key = ?));

-- import
DELETE FROM open_imports
WHERE ends < ?;

-- import
DELETE FROM open_imports
WHERE id = ?;

-- import
DELETE FROM password_links
WHERE user_id IN (?);

-- import, sources remove, upstreams run
DELETE FROM payout_items
WHERE ((vendor_id = ? AND arrival = ?));

-- import, sign-in, two-factor sign-in and sessions, users reset-two-factor
DELETE FROM recovery_codes
WHERE user_id = ?;

-- import, password and sign-out, password links, and 4 others
DELETE FROM sessions
WHERE user_id = ?;

-- POST /ledger/v1/records, import, sources remove, upstreams run
DELETE FROM transactions
WHERE ((vendor_id = ? AND arrival = ?));

-- import
DELETE FROM user_passwords
WHERE user_id = ?;

-- import, two-factor sign-in and sessions, users reset-two-factor
DELETE FROM user_two_factor
WHERE user_id = ?;

-- import
DELETE FROM vendor_users
WHERE ((vendor_id = ? AND user_id = ?));

-- PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, affiliates, import
INSERT INTO affiliations (affiliate_id, product_id, created, status, comments, custom_commission,
  delayed_commission, custom_sales_page_url, custom_payment_1st_payout, custom_payment_trial_payout,
  overruled, record_version)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE created = VALUES(created), status = VALUES(status),
  comments = VALUES(comments), custom_commission = VALUES(custom_commission),
  delayed_commission = VALUES(delayed_commission),
  custom_sales_page_url = VALUES(custom_sales_page_url),
  custom_payment_1st_payout = VALUES(custom_payment_1st_payout),
  custom_payment_trial_payout = VALUES(custom_payment_trial_payout), overruled = VALUES(overruled),
  record_version = VALUES(record_version);

-- import
INSERT INTO affiliations (affiliate_id, product_id, created, status, delayed_commission)
VALUES (?, ?, ?, ?, ?);

-- API applications, DELETE /ledger/v1/webhooks/{id}, GET /ledger/v1/webhooks/{id}/secret, and 48 others
INSERT INTO audit_log(id, created, user_id, application_id, source, action, subject, state_before,
  state_after, account_id)
VALUES (DEFAULT, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- POST /ledger/v1/records, PUT /v2.0/recurring_payment/{preKey}, PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, and 6 others
INSERT INTO changed_records (vendor_id, kind, record_key, sequence, changed_at, reasons)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE sequence = VALUES(sequence), changed_at = VALUES(changed_at),
  reasons = VALUES(reasons);

-- import
INSERT INTO daily_clicks (affiliate_id, product_id, date, clicks, unique_clicks)
VALUES (?, ?, ?, ?, ?);

-- import
INSERT INTO daily_clicks (affiliate_id, product_id, date, clicks, unique_clicks, record_version)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE clicks = VALUES(clicks), unique_clicks = VALUES(unique_clicks),
  record_version = VALUES(record_version);

-- import
INSERT INTO dry_run_records (name, record)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE record = VALUES(record);

-- import
INSERT INTO open_imports(id, vendor_id, ends)
VALUES (?, ?, ?)
ON DUPLICATE KEY UPDATE id = VALUES(id), vendor_id = VALUES(vendor_id), ends = VALUES(ends);

-- POST /ledger/v1/records, import
INSERT INTO payout_items (vendor_id, arrival, payee_amount, payee_user_id, payee_name, payout_type,
  payment_processor, payout_status, position)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- POST /ledger/v1/records, import, upstreams run
INSERT INTO products (id, vendor_id, name, source_vendor_id)
VALUES (?, ?, ?, ?);

-- POST /ledger/v1/records, import
INSERT INTO products (id, vendor_id, name, record_version, source_vendor_id, source_version)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE vendor_id = VALUES(vendor_id), name = VALUES(name),
  record_version = VALUES(record_version), source_vendor_id = VALUES(source_vendor_id),
  source_version = VALUES(source_version);

-- import, people erase, reading of upstreams
INSERT INTO recurring_payments (pre_key, id, product_id, status, current_payments,
  max_number_of_payments, max_total_of_all_payments, max_amount_per_payment, next_payment,
  processor_email, contact_email, code, price, payment_period, payment_count, payment_first_payout,
  has_payment_trial, payment_trial_price, payment_trial_period, payment_trial_payout, payout,
  current_payments_amount, created, sender_email, last_date, next_date, ip, referrer, tid, vtid,
  overruled, record_version, vendor_id, status_word)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?)
ON DUPLICATE KEY UPDATE id = VALUES(id), product_id = VALUES(product_id), status = VALUES(status),
  current_payments = VALUES(current_payments),
  max_number_of_payments = VALUES(max_number_of_payments),
  max_total_of_all_payments = VALUES(max_total_of_all_payments),
  max_amount_per_payment = VALUES(max_amount_per_payment), next_payment = VALUES(next_payment),
  processor_email = VALUES(processor_email), contact_email = VALUES(contact_email),
  code = VALUES(code), price = VALUES(price), payment_period = VALUES(payment_period),
  payment_count = VALUES(payment_count), payment_first_payout = VALUES(payment_first_payout),
  has_payment_trial = VALUES(has_payment_trial), payment_trial_price = VALUES(payment_trial_price),
  payment_trial_period = VALUES(payment_trial_period),
  payment_trial_payout = VALUES(payment_trial_payout), payout = VALUES(payout),
  current_payments_amount = VALUES(current_payments_amount), created = VALUES(created),
  sender_email = VALUES(sender_email), last_date = VALUES(last_date), next_date = VALUES(next_date),
  ip = VALUES(ip), referrer = VALUES(referrer), tid = VALUES(tid), vtid = VALUES(vtid),
  overruled = VALUES(overruled), record_version = VALUES(record_version),
  vendor_id = VALUES(vendor_id), status_word = VALUES(status_word);

-- import, reading of upstreams, upstreams run
INSERT INTO recurring_payments (pre_key, id, product_id, status, current_payments,
  max_number_of_payments, max_total_of_all_payments, max_amount_per_payment, next_payment,
  processor_email, contact_email, price, payment_period, payment_count, payment_first_payout,
  has_payment_trial, payment_trial_price, payment_trial_period, payment_trial_payout,
  current_payments_amount, created, sender_email, last_date, next_date, ip, referrer, vendor_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- import, reading of upstreams, upstreams run
INSERT INTO transactions (transaction_id, sale_date, product_id, product_name, amount, status,
  customer_email, customer_first_name, customer_last_name, affiliate_commission_status, vtid,
  custom, tid, utm_source, utm_medium, utm_campaign, utm_content, utm_term, sub_id1, sub_id2,
  sub_id3, sub_id4, sub_id5, gclid, fbclid, msclkid, ttclid, li_fat_id, twclid, yclid, other_params,
  seller_earnings, affiliate_payout, agent_payout, jv_payout, service_fee, vendor_id, arrival,
  sequence, changed_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  ?, ?, ?, ?, ?, ?, ?, ?, ?);

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
ON DUPLICATE KEY UPDATE transaction_id = VALUES(transaction_id), sale_date = VALUES(sale_date),
  product_id = VALUES(product_id), product_name = VALUES(product_name), amount = VALUES(amount),
  status = VALUES(status), pre_key = VALUES(pre_key), customer_email = VALUES(customer_email),
  customer_first_name = VALUES(customer_first_name),
  customer_last_name = VALUES(customer_last_name), customer_ip = VALUES(customer_ip),
  customer_phone = VALUES(customer_phone),
  customer_processor_email = VALUES(customer_processor_email), affiliate_id = VALUES(affiliate_id),
  affiliate_commission_status = VALUES(affiliate_commission_status), vtid = VALUES(vtid),
  custom = VALUES(custom), tid = VALUES(tid), utm_source = VALUES(utm_source),
  utm_medium = VALUES(utm_medium), utm_campaign = VALUES(utm_campaign),
  utm_content = VALUES(utm_content), utm_term = VALUES(utm_term), sub_id1 = VALUES(sub_id1),
  sub_id2 = VALUES(sub_id2), sub_id3 = VALUES(sub_id3), sub_id4 = VALUES(sub_id4),
  sub_id5 = VALUES(sub_id5), gclid = VALUES(gclid), fbclid = VALUES(fbclid),
  msclkid = VALUES(msclkid), ttclid = VALUES(ttclid), li_fat_id = VALUES(li_fat_id),
  twclid = VALUES(twclid), yclid = VALUES(yclid), other_params = VALUES(other_params),
  seller_earnings = VALUES(seller_earnings), affiliate_payout = VALUES(affiliate_payout),
  agent_payout = VALUES(agent_payout), jv_payout = VALUES(jv_payout),
  service_fee = VALUES(service_fee), refund_date = VALUES(refund_date),
  refund_amount = VALUES(refund_amount), seller_refund_impact = VALUES(seller_refund_impact),
  affiliate_refund_impact = VALUES(affiliate_refund_impact),
  agent_refund_impact = VALUES(agent_refund_impact), jv_refund_impact = VALUES(jv_refund_impact),
  service_fee_adjustment = VALUES(service_fee_adjustment), tax_total = VALUES(tax_total),
  international_sales_tax = VALUES(international_sales_tax),
  national_sales_tax = VALUES(national_sales_tax), vat_tax = VALUES(vat_tax),
  shipping_fee = VALUES(shipping_fee), delivery_name = VALUES(delivery_name),
  delivery_phone = VALUES(delivery_phone),
  delivery_address_line_1 = VALUES(delivery_address_line_1),
  delivery_address_line_2 = VALUES(delivery_address_line_2), delivery_city = VALUES(delivery_city),
  delivery_region = VALUES(delivery_region), delivery_postal_code = VALUES(delivery_postal_code),
  delivery_country = VALUES(delivery_country), refunded_sale_date = VALUES(refunded_sale_date),
  rendered = VALUES(rendered), record_version = VALUES(record_version), sequence = VALUES(sequence),
  changed_at = VALUES(changed_at), reasons = VALUES(reasons);

-- POST /ledger/v1/records, import, upstreams add, and 2 others
INSERT INTO users (id, name, email, status, source_vendor_id, sign_in_email)
VALUES (?, ?, ?, ?, ?, ?);

-- import, reading of upstreams, upstreams run
INSERT INTO users (id, name, email, display_name, status, source_vendor_id, admitted, sign_in_email,
  record_version)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE name = VALUES(name), email = VALUES(email),
  display_name = VALUES(display_name), status = VALUES(status),
  source_vendor_id = VALUES(source_vendor_id), admitted = VALUES(admitted),
  sign_in_email = VALUES(sign_in_email), record_version = VALUES(record_version);

-- import
INSERT INTO vendor_affiliates (vendor_id, affiliate_id)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE affiliate_id = VALUES(affiliate_id);

-- import
INSERT INTO vendor_users (vendor_id, user_id, name, email)
VALUES (?, ?, ?, ?);

-- POST /ledger/v1/records, reading of upstreams, upstreams run
INSERT INTO vendor_users (vendor_id, user_id, name, email, display_name, record_version)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE name = VALUES(name), email = VALUES(email),
  display_name = VALUES(display_name), record_version = VALUES(record_version);

-- import
SELECT ApiApplication.id AS ApiApplication_id
FROM api_applications ApiApplication
WHERE ((ApiApplication.user_id = ?) AND (ApiApplication.state = ?) AND (ApiApplication.access != ?));

-- POST /ledger/v1/records, upstreams run
SELECT COUNT(*) AS created
FROM (
  SELECT id
  FROM products
  WHERE source_vendor_id = ?
  LIMIT ?) some;

-- POST /ledger/v1/records, upstreams run
SELECT COUNT(*) AS created
FROM (
  SELECT id
  FROM users
  WHERE source_vendor_id = ?
  LIMIT ?) some;

-- POST /ledger/v1/records, import, upstreams run
SELECT DISTINCT affiliate_id
FROM transactions
WHERE affiliate_id IN (?);

-- POST /ledger/v1/records, reading of upstreams, upstreams run
SELECT DISTINCT affiliate_id, vendor_id
FROM transactions
WHERE affiliate_id IN (?);

-- POST /ledger/v1/records, reading of upstreams, upstreams run
SELECT DISTINCT vendor_id
FROM products
WHERE vendor_id IN (?);

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
SELECT DISTINCT vendor_id, affiliate_id
FROM transactions
WHERE affiliate_id IN (?);

-- POST /mcp, PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, affiliates, and 3 others
SELECT affiliate_id, product_id, created, status, comments, custom_commission, delayed_commission,
  custom_sales_page_url, custom_payment_1st_payout, custom_payment_trial_payout, overruled,
  record_version
FROM affiliations
WHERE ((affiliate_id = ? AND product_id = ?))
FOR UPDATE;

-- import
SELECT affiliate_id, product_id, date, clicks, unique_clicks, record_version
FROM daily_clicks
WHERE ((affiliate_id = ? AND product_id = ? AND date = ?))
FOR UPDATE;

-- POST /ledger/v1/records, import, people erase, and 5 others
SELECT id
FROM users
WHERE id IN (?)
ORDER BY id
FOR UPDATE;

-- GET /ledger/v1/earnings, POST /ledger/v1/records, data protection, and 6 others
SELECT id, name, email, display_name, status
FROM users
WHERE id IN (?);

-- import
SELECT id, name, email, display_name, status, source_vendor_id, admitted, record_version
FROM users
WHERE id IN (?)
ORDER BY id;

-- POST /ledger/v1/records, import, reading of upstreams, and 3 others
SELECT id, name, email, display_name, status, source_vendor_id, admitted, record_version
FROM users
WHERE id IN (?)
ORDER BY id
FOR UPDATE;

-- POST /ledger/v1/records, import, sources remove, upstreams run
SELECT id, vendor_id, name, record_version, source_vendor_id, source_version
FROM products
WHERE id IN (?)
ORDER BY id
FOR UPDATE;

-- import
SELECT name, record
FROM dry_run_records
WHERE name IN (?);

-- import
SELECT own.vendor_id, own.user_id
FROM vendor_users own
JOIN users u ON u.id = own.user_id
WHERE ((own.vendor_id = ? AND own.user_id = ?)) AND u.source_vendor_id IS NULL;

-- import
SELECT own.vendor_id, own.user_id
FROM vendor_users own
JOIN vendor_affiliates given ON given.vendor_id = own.vendor_id AND given.affiliate_id = own.user_id
WHERE own.user_id IN (?);

-- PUT /v2.0/recurring_payment/{preKey}, import, people erase, and 2 others
SELECT pre_key, id, product_id, status, current_payments, max_number_of_payments,
  max_total_of_all_payments, max_amount_per_payment, next_payment, processor_email, contact_email,
  code, price, payment_period, payment_count, payment_first_payout, has_payment_trial,
  payment_trial_price, payment_trial_period, payment_trial_payout, payout, current_payments_amount,
  created, sender_email, last_date, next_date, ip, referrer, tid, vtid, overruled, record_version,
  vendor_id, status_word
FROM recurring_payments
WHERE pre_key IN (?)
FOR UPDATE;

-- POST /ledger/v1/records, import, reading of upstreams, upstreams run
SELECT pre_key, product_id
FROM recurring_payments
WHERE pre_key IN (?);

-- import
SELECT product_id, COUNT(*) AS found
FROM affiliations
WHERE product_id IN (?)
GROUP BY product_id;

-- import
SELECT product_id, COUNT(*) AS found
FROM daily_clicks
WHERE product_id IN (?)
GROUP BY product_id;

-- import
SELECT product_id, COUNT(*) AS found
FROM recurring_payments
WHERE product_id IN (?) AND vendor_id = ?
GROUP BY product_id;

-- PUT /v2.0/recurring_payment/{preKey}, import, people erase, reading of upstreams
SELECT record_key, sequence, reasons
FROM changed_records
WHERE ((vendor_id = ? AND kind = ? AND record_key = ?))
FOR UPDATE;

-- import
SELECT sale_date, status, refund_date, amount, seller_earnings, refund_amount, seller_refund_impact,
  utm_source, utm_campaign, tid, sub_id1, sub_id2, sub_id3, sub_id4, sub_id5
FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
WHERE vendor_id = ? AND sequence > ? AND sequence <= ?;

-- POST /ledger/v1/records, extension erase, import, and 4 others
SELECT secret
FROM person_keys
WHERE id = ?;

-- POST /ledger/v1/records, import, people erase, and 4 others
SELECT transaction_id
FROM transactions
WHERE transaction_id IN (?);

-- POST /ledger/v1/records, reading of upstreams, upstreams run
SELECT u.id, CASE WHEN own.user_id IS NOT NULL THEN own.name WHEN u.source_vendor_id = ? THEN u.name
  WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.name END AS name, CASE
  WHEN own.user_id IS NOT NULL THEN own.email WHEN u.source_vendor_id = ? THEN u.email
  WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.email END AS email, CASE
  WHEN own.user_id IS NOT NULL THEN own.display_name WHEN u.source_vendor_id = ? THEN u.display_name
  WHEN given.vendor_id IS NOT NULL AND u.source_vendor_id IS NULL THEN u.display_name
  END AS display_name, CASE WHEN own.user_id IS NOT NULL THEN own.record_version
  WHEN u.source_vendor_id = ? THEN u.record_version END AS record_version
FROM users u
LEFT JOIN vendor_users own ON own.vendor_id = ? AND own.user_id = u.id
LEFT JOIN vendor_affiliates given ON given.vendor_id = ? AND given.affiliate_id = u.id
WHERE u.id IN (?);

-- POST /ledger/v1/records, import, reading of upstreams, upstreams run
SELECT u.id, u.sign_in_email, u.source_vendor_id, u.admitted, p.user_id AS password_of, (
  SELECT MIN(a.id)
  FROM api_applications a
  WHERE a.user_id = u.id) AS application_id
FROM users u
LEFT JOIN user_passwords p ON p.user_id = u.id
WHERE u.id IN (?);

-- import
SELECT u.source_vendor_id AS vendor_id, u.id AS user_id, u.name, u.email, u.display_name,
  u.record_version
FROM users u
LEFT JOIN vendor_users own ON own.vendor_id = u.source_vendor_id AND own.user_id = u.id
WHERE u.id IN (?) AND u.source_vendor_id IS NOT NULL AND own.user_id IS NULL;

-- import
SELECT user_id, sign_in_email
FROM password_links
WHERE user_id IN (?);

-- import
SELECT vendor_id, affiliate_id
FROM vendor_affiliates
WHERE ((vendor_id = ? AND affiliate_id = ?));

-- POST /ledger/v1/records, import, people erase, and 4 others
SELECT vendor_id, arrival, payee_amount, payee_user_id, payee_name, payout_type, payment_processor,
  payout_status
FROM payout_items
WHERE ((vendor_id = ? AND arrival = ?))
ORDER BY vendor_id, arrival, position;

-- POST /ledger/v1/records, import, people erase, and 4 others
SELECT vendor_id, arrival, transaction_id, sale_date, product_id, product_name, amount, status,
  pre_key, customer_email, customer_first_name, customer_last_name, customer_ip, customer_phone,
  customer_processor_email, affiliate_id, affiliate_commission_status, vtid, custom, tid,
  utm_source, utm_medium, utm_campaign, utm_content, utm_term, sub_id1, sub_id2, sub_id3, sub_id4,
  sub_id5, gclid, fbclid, msclkid, ttclid, li_fat_id, twclid, yclid, other_params, seller_earnings,
  affiliate_payout, agent_payout, jv_payout, service_fee, refund_date, refund_amount,
  seller_refund_impact, affiliate_refund_impact, agent_refund_impact, jv_refund_impact,
  service_fee_adjustment, tax_total, international_sales_tax, national_sales_tax, vat_tax,
  shipping_fee, delivery_name, delivery_phone, delivery_address_line_1, delivery_address_line_2,
  delivery_city, delivery_region, delivery_postal_code, delivery_country, record_version, reasons,
  COALESCE(sequence, arrival) AS sequence
FROM transactions
WHERE transaction_id IN (?);

-- POST /ledger/v1/records, extension erase, import, and 6 others
SELECT vendor_id, erased_at
FROM (
  SELECT vendor_id, erased_at
  FROM erased_people
  WHERE vendor_id = ?
  ORDER BY erased_at DESC
  LIMIT 1) last_0;

-- POST /ledger/v1/records, import, reading of upstreams, upstreams run
SELECT vendor_id, kind, record_key
FROM changed_records /*! FORCE INDEX (PRIMARY) */
WHERE ((vendor_id = ? AND kind = ? AND record_key = ?));

-- POST /ledger/v1/records, import, reading of upstreams, and 2 others
SELECT vendor_id, kind, record_key
FROM changed_records
WHERE ((kind = ? AND record_key = ?));

-- POST /ledger/v1/records, extension erase, import, and 2 others
SELECT vendor_id, person, erased_at, is_pending, number, numbered_at
FROM erased_people
WHERE vendor_id IN (?) AND person IN (?);

-- POST /ledger/v1/records, extension erase, import, and 6 others
SELECT vendor_id, retained_from
FROM retained_ledgers
WHERE vendor_id IN (?);

-- import
UPDATE affiliations
SET record_version = CASE WHEN affiliate_id = ? AND product_id = ? THEN ? END
WHERE ((affiliate_id = ? AND product_id = ?)) AND COALESCE(record_version, -1) < CASE
  WHEN affiliate_id = ? AND product_id = ? THEN ? END;

-- API applications, import, keys revoke
UPDATE api_applications
SET state = ?
WHERE id = ?;

-- import
UPDATE daily_clicks
SET record_version = CASE WHEN affiliate_id = ? AND product_id = ? AND date = ? THEN ? END
WHERE ((affiliate_id = ? AND product_id = ? AND date = ?)) AND COALESCE(record_version, -1) < CASE
  WHEN affiliate_id = ? AND product_id = ? AND date = ? THEN ? END;

-- import
UPDATE products
SET record_version = CASE WHEN id = ? THEN ? END
WHERE id IN (?) AND COALESCE(record_version, -1) < CASE WHEN id = ? THEN ? END;

-- import
UPDATE recurring_payments
SET record_version = CASE WHEN pre_key = ? THEN ? END
WHERE pre_key IN (?) AND COALESCE(record_version, -1) < CASE WHEN pre_key = ? THEN ? END;

-- import
UPDATE transactions
SET record_version = CASE WHEN vendor_id = ? AND arrival = ? THEN ? END
WHERE ((vendor_id = ? AND arrival = ?)) AND COALESCE(record_version, -1) < CASE WHEN vendor_id = ?
  AND arrival = ? THEN ? END;

-- import
UPDATE users
SET record_version = CASE WHEN id = ? THEN ? END
WHERE id IN (?) AND COALESCE(record_version, -1) < CASE WHEN id = ? THEN ? END;
