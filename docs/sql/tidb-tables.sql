-- All tables for TiDB. Apply this file to an empty database, then start the service, whose migrations
-- skip what exists. The parts for TiDB are in its special comments, so MySQL accepts the same file, and
-- test/mysql/tidb-tables.test.ts compares it with the migrations there.
--
-- The keys of the ledger tables begin with the vendor and are clustered, so a ledger is one range of
-- rows. Only audit_log and api_applications have ids from TiDB, in the order of time (AUTO_ID_CACHE).
-- SHARD_ROW_ID_BITS spreads the rows of audit_log.

CREATE TABLE affiliate_day_sums (
  vendor_id bigint NOT NULL,
  kind varchar(32) NOT NULL,
  day date NOT NULL,
  affiliate_id bigint NOT NULL,
  product_id bigint NOT NULL,
  transactions bigint NOT NULL,
  amount bigint NOT NULL,
  earnings bigint NOT NULL,
  commission bigint NOT NULL,
  PRIMARY KEY (vendor_id, kind, day, affiliate_id, product_id) /*T![clustered_index] CLUSTERED */,
  KEY affiliate_day_sums_by_affiliate (affiliate_id, day)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE affiliate_sales (
  affiliate_id bigint NOT NULL,
  product_id bigint NOT NULL,
  sales bigint NOT NULL,
  refunds bigint NOT NULL,
  chargebacks bigint NOT NULL,
  revenue bigint NOT NULL,
  refund_amount bigint NOT NULL,
  commission_earned bigint NOT NULL,
  commission_paid bigint NOT NULL,
  PRIMARY KEY (affiliate_id, product_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE affiliations (
  affiliate_id bigint NOT NULL,
  product_id bigint NOT NULL,
  created datetime NOT NULL,
  status varchar(32) NOT NULL,
  comments text,
  custom_commission bigint DEFAULT NULL,
  delayed_commission tinyint NOT NULL,
  custom_sales_page_url varchar(2048) DEFAULT NULL,
  custom_payment_1st_payout bigint DEFAULT NULL,
  custom_payment_trial_payout bigint DEFAULT NULL,
  overruled text,
  record_version bigint DEFAULT NULL,
  PRIMARY KEY (affiliate_id, product_id) /*T![clustered_index] CLUSTERED */,
  KEY affiliations_by_product (product_id, affiliate_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE api_applications (
  id int NOT NULL AUTO_INCREMENT,
  user_id bigint NOT NULL,
  name varchar(255) NOT NULL,
  state varchar(32) NOT NULL,
  created datetime NOT NULL,
  expires datetime DEFAULT NULL,
  address_allow_list text,
  limits varchar(255) DEFAULT NULL,
  last_shown datetime DEFAULT NULL,
  access varchar(32) NOT NULL DEFAULT 'full',
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */,
  KEY api_applications_by_user (user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin /*T![auto_id_cache] AUTO_ID_CACHE=1 */;

CREATE TABLE api_keys (
  key_hash varchar(64) NOT NULL,
  application_id bigint NOT NULL,
  encrypted_key varchar(255) NOT NULL,
  created datetime NOT NULL,
  expires datetime DEFAULT NULL,
  last_used datetime DEFAULT NULL,
  PRIMARY KEY (key_hash) /*T![clustered_index] CLUSTERED */,
  KEY api_keys_by_application (application_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE audit_log (
  id int NOT NULL AUTO_INCREMENT,
  created datetime NOT NULL,
  user_id bigint NOT NULL,
  application_id bigint NOT NULL,
  action varchar(255) NOT NULL,
  subject varchar(255) NOT NULL,
  state_before text,
  state_after text NOT NULL,
  source varchar(255) DEFAULT NULL,
  PRIMARY KEY (id) /*T![clustered_index] NONCLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin /*T![auto_id_cache] AUTO_ID_CACHE=1 */ /*T! SHARD_ROW_ID_BITS=4 PRE_SPLIT_REGIONS=2 */;

CREATE TABLE changed_records (
  vendor_id bigint NOT NULL,
  kind varchar(32) NOT NULL,
  record_key varchar(255) NOT NULL,
  sequence bigint NOT NULL,
  changed_at datetime NOT NULL,
  PRIMARY KEY (vendor_id, kind, record_key) /*T![clustered_index] CLUSTERED */,
  KEY changed_records_by_sequence (vendor_id, kind, sequence),
  KEY changed_records_by_key (kind, record_key)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE daily_clicks (
  affiliate_id bigint NOT NULL,
  product_id bigint NOT NULL,
  date date NOT NULL,
  clicks bigint NOT NULL,
  unique_clicks bigint NOT NULL,
  record_version bigint DEFAULT NULL,
  PRIMARY KEY (affiliate_id, product_id, date) /*T![clustered_index] CLUSTERED */,
  KEY daily_clicks_by_product (product_id, date, affiliate_id, clicks, unique_clicks)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE early_erasures (
  vendor_id bigint NOT NULL,
  tombstones bigint NOT NULL,
  PRIMARY KEY (vendor_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE erased_people (
  vendor_id bigint NOT NULL,
  person varchar(64) NOT NULL,
  erased_at datetime NOT NULL,
  is_pending tinyint NOT NULL,
  number bigint NOT NULL DEFAULT '0',
  numbered_at datetime DEFAULT NULL,
  PRIMARY KEY (vendor_id, person) /*T![clustered_index] CLUSTERED */,
  KEY erased_people_by_erased_at (vendor_id, erased_at),
  KEY erased_people_by_number (number, vendor_id, person),
  KEY erased_people_by_pending (is_pending, vendor_id, person)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE erasure_files (
  id varchar(32) NOT NULL,
  entries bigint NOT NULL,
  bytes bigint NOT NULL,
  ending varchar(64) NOT NULL,
  secret varchar(255) NOT NULL,
  through bigint NOT NULL,
  seen datetime NOT NULL,
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE ledger_arrivals (
  id bigint NOT NULL,
  last_arrival bigint NOT NULL,
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE ledger_revisions (
  vendor_id bigint NOT NULL,
  revision bigint NOT NULL,
  longest_refund_days bigint NOT NULL DEFAULT '0',
  last_arrival bigint NOT NULL DEFAULT '0',
  last_sequence bigint NOT NULL DEFAULT '0',
  tracked_sequence bigint NOT NULL DEFAULT '0',
  has_removed bigint NOT NULL DEFAULT '0',
  PRIMARY KEY (vendor_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE open_imports (
  id varchar(36) NOT NULL,
  vendor_id bigint NOT NULL,
  ends datetime NOT NULL,
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE password_links (
  user_id bigint NOT NULL,
  token_hash varchar(64) NOT NULL,
  kind varchar(32) NOT NULL,
  sign_in_email varchar(255) NOT NULL,
  created datetime NOT NULL,
  expires datetime NOT NULL,
  PRIMARY KEY (user_id) /*T![clustered_index] CLUSTERED */,
  UNIQUE KEY password_links_by_token (token_hash),
  KEY password_links_by_expires (expires)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE payout_items (
  vendor_id bigint NOT NULL,
  arrival bigint NOT NULL,
  position bigint NOT NULL,
  payee_amount bigint NOT NULL,
  payee_user_id bigint NOT NULL,
  payee_name varchar(255) NOT NULL,
  payout_type varchar(255) NOT NULL,
  payment_processor varchar(255) NOT NULL,
  payout_status varchar(255) NOT NULL,
  PRIMARY KEY (vendor_id, arrival, position) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE person_keys (
  id bigint NOT NULL,
  secret varchar(255) NOT NULL,
  last_number bigint NOT NULL DEFAULT '0',
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE personal_reads (
  vendor_id bigint NOT NULL,
  read_at datetime NOT NULL,
  writer varchar(16) NOT NULL,
  number bigint NOT NULL,
  user_id bigint NOT NULL,
  application_id bigint NOT NULL,
  operation varchar(64) NOT NULL,
  record_keys text,
  first_day date DEFAULT NULL,
  last_day date DEFAULT NULL,
  records bigint DEFAULT NULL,
  times bigint NOT NULL,
  PRIMARY KEY (vendor_id, read_at, writer, number) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE products (
  id bigint NOT NULL,
  vendor_id bigint NOT NULL,
  name varchar(255) NOT NULL,
  record_version bigint DEFAULT NULL,
  source_vendor_id bigint DEFAULT NULL,
  source_version bigint DEFAULT NULL,
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */,
  KEY products_by_vendor (vendor_id, id),
  KEY products_by_source (source_vendor_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL,
  code_hash varchar(64) NOT NULL,
  PRIMARY KEY (user_id, code_hash) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE recurring_cancels (
  pre_key varchar(255) NOT NULL,
  claim varchar(36) NOT NULL,
  ends datetime NOT NULL,
  idempotency_key varchar(36) NOT NULL DEFAULT '',
  user_id bigint NOT NULL DEFAULT 0,
  application_id bigint NOT NULL DEFAULT 0,
  asked datetime DEFAULT NULL,
  tries bigint NOT NULL DEFAULT 0,
  next_try datetime DEFAULT NULL,
  PRIMARY KEY (pre_key) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE recurring_payments (
  pre_key varchar(255) NOT NULL,
  id bigint NOT NULL,
  product_id bigint NOT NULL,
  status varchar(32) NOT NULL,
  current_payments bigint NOT NULL,
  max_number_of_payments bigint NOT NULL,
  max_total_of_all_payments bigint NOT NULL,
  max_amount_per_payment bigint NOT NULL,
  next_payment varchar(256) NOT NULL,
  processor_email varchar(255) NOT NULL,
  contact_email varchar(255) NOT NULL,
  code varchar(255) DEFAULT NULL,
  price bigint NOT NULL,
  payment_period bigint NOT NULL,
  payment_count bigint NOT NULL,
  payment_first_payout bigint NOT NULL,
  has_payment_trial tinyint NOT NULL,
  payment_trial_price bigint NOT NULL,
  payment_trial_period bigint NOT NULL,
  payment_trial_payout bigint NOT NULL,
  payout bigint DEFAULT NULL,
  current_payments_amount bigint NOT NULL,
  created datetime NOT NULL,
  sender_email varchar(255) NOT NULL,
  last_date datetime DEFAULT NULL,
  next_date datetime DEFAULT NULL,
  ip varchar(255) NOT NULL,
  referrer text NOT NULL,
  tid text,
  vtid text,
  overruled text,
  record_version bigint DEFAULT NULL,
  vendor_id bigint DEFAULT NULL,
  status_word varchar(255) DEFAULT NULL,
  processor_email_folded varchar(255) GENERATED ALWAYS AS (NULLIF(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REGEXP_REPLACE(processor_email, '^[\t-\r    -     　﻿]+|[\t-\r    -     　﻿]+$', ''), 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z'), processor_email)) VIRTUAL,
  contact_email_folded varchar(255) GENERATED ALWAYS AS (NULLIF(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REGEXP_REPLACE(contact_email, '^[\t-\r    -     　﻿]+|[\t-\r    -     　﻿]+$', ''), 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z'), contact_email)) VIRTUAL,
  sender_email_folded varchar(255) GENERATED ALWAYS AS (NULLIF(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REGEXP_REPLACE(sender_email, '^[\t-\r    -     　﻿]+|[\t-\r    -     　﻿]+$', ''), 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z'), sender_email)) VIRTUAL,
  PRIMARY KEY (pre_key) /*T![clustered_index] CLUSTERED */,
  KEY recurring_payments_by_next_date (vendor_id, status, next_date, pre_key),
  KEY recurring_payments_by_created (vendor_id, status, created, pre_key),
  KEY recurring_payments_by_processor_email (vendor_id, processor_email, pre_key),
  KEY recurring_payments_by_contact_email (vendor_id, contact_email, pre_key),
  KEY recurring_payments_by_sender_email (vendor_id, sender_email, pre_key),
  KEY recurring_payments_by_processor_email_folded (vendor_id, processor_email_folded, pre_key),
  KEY recurring_payments_by_contact_email_folded (vendor_id, contact_email_folded, pre_key),
  KEY recurring_payments_by_sender_email_folded (vendor_id, sender_email_folded, pre_key),
  KEY recurring_payments_by_vendor (vendor_id, pre_key)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE recurring_sums (
  vendor_id bigint NOT NULL,
  status varchar(32) NOT NULL,
  day date NOT NULL,
  agreements bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (vendor_id, status, day) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE refund_cohorts (
  vendor_id bigint NOT NULL,
  series varchar(32) NOT NULL,
  item_id bigint NOT NULL,
  sale_month date NOT NULL,
  refund_month date NOT NULL,
  kind varchar(32) NOT NULL,
  transactions bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (vendor_id, series, item_id, sale_month, refund_month, kind) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE refund_counts (
  vendor_id bigint NOT NULL,
  refund_day date NOT NULL,
  sale_day date NOT NULL,
  refunds bigint NOT NULL,
  PRIMARY KEY (vendor_id, refund_day, sale_day) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE retained_ledgers (
  vendor_id bigint NOT NULL,
  retained_from date NOT NULL,
  emptied_to datetime NOT NULL,
  emptied_arrival bigint NOT NULL,
  transactions bigint NOT NULL,
  recurring_payments bigint NOT NULL,
  done_on date DEFAULT NULL,
  claim varchar(36) DEFAULT NULL,
  claim_ends datetime DEFAULT NULL,
  PRIMARY KEY (vendor_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE retention_rules (
  vendor_id bigint NOT NULL,
  months bigint DEFAULT NULL,
  PRIMARY KEY (vendor_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE sale_counts (
  vendor_id bigint NOT NULL,
  sale_day date NOT NULL,
  sales bigint NOT NULL,
  PRIMARY KEY (vendor_id, sale_day) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE sessions (
  session_hash varchar(64) NOT NULL,
  user_id bigint NOT NULL,
  data text NOT NULL,
  created datetime NOT NULL,
  expires datetime NOT NULL,
  password_id varchar(36) NOT NULL DEFAULT '',
  PRIMARY KEY (session_hash) /*T![clustered_index] CLUSTERED */,
  KEY sessions_by_user (user_id),
  KEY sessions_by_expires (expires)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE sign_in_networks (
  user_id bigint NOT NULL,
  network varchar(64) NOT NULL,
  last_sign_in datetime NOT NULL,
  notice varchar(16) NOT NULL,
  noticed datetime NOT NULL,
  address varchar(64) NOT NULL,
  device varchar(255) NOT NULL,
  PRIMARY KEY (user_id, network) /*T![clustered_index] CLUSTERED */,
  KEY sign_in_networks_by_last_sign_in (last_sign_in)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE tracking_sums (
  vendor_id bigint NOT NULL,
  series varchar(32) NOT NULL,
  kind varchar(32) NOT NULL,
  day date NOT NULL,
  value_id bigint NOT NULL,
  transactions bigint NOT NULL,
  amount bigint NOT NULL,
  earnings bigint NOT NULL,
  PRIMARY KEY (vendor_id, series, kind, day, value_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE tracking_values (
  vendor_id bigint NOT NULL,
  field varchar(32) NOT NULL,
  id bigint NOT NULL,
  value varchar(255) NOT NULL,
  PRIMARY KEY (vendor_id, field, id) /*T![clustered_index] CLUSTERED */,
  UNIQUE KEY tracking_values_by_value (vendor_id, field, value)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE transactions (
  vendor_id bigint NOT NULL,
  arrival bigint NOT NULL,
  transaction_id varchar(64) NOT NULL,
  product_id bigint NOT NULL,
  product_name varchar(255) NOT NULL,
  sale_date datetime NOT NULL,
  amount bigint NOT NULL,
  status varchar(32) NOT NULL,
  pre_key varchar(255) DEFAULT NULL,
  customer_email varchar(255) NOT NULL,
  customer_first_name varchar(255) NOT NULL,
  customer_last_name varchar(255) NOT NULL,
  customer_ip varchar(255) DEFAULT NULL,
  customer_phone varchar(255) DEFAULT NULL,
  affiliate_id bigint DEFAULT NULL,
  affiliate_commission_status varchar(32) NOT NULL,
  vtid text,
  custom text,
  tid text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_content text,
  utm_term text,
  sub_id1 text,
  sub_id2 text,
  sub_id3 text,
  sub_id4 text,
  sub_id5 text,
  gclid text,
  fbclid text,
  msclkid text,
  ttclid text,
  li_fat_id text,
  twclid text,
  yclid text,
  other_params text,
  seller_earnings bigint NOT NULL,
  affiliate_payout bigint NOT NULL,
  agent_payout bigint NOT NULL,
  jv_payout bigint NOT NULL,
  service_fee bigint NOT NULL,
  refund_date datetime DEFAULT NULL,
  refund_amount bigint DEFAULT NULL,
  seller_refund_impact bigint DEFAULT NULL,
  affiliate_refund_impact bigint DEFAULT NULL,
  agent_refund_impact bigint DEFAULT NULL,
  jv_refund_impact bigint DEFAULT NULL,
  service_fee_adjustment bigint DEFAULT NULL,
  refunded_sale_date datetime DEFAULT NULL,
  tax_total bigint DEFAULT NULL,
  international_sales_tax bigint DEFAULT NULL,
  national_sales_tax bigint DEFAULT NULL,
  vat_tax bigint DEFAULT NULL,
  shipping_fee bigint DEFAULT NULL,
  delivery_name varchar(255) DEFAULT NULL,
  delivery_phone varchar(255) DEFAULT NULL,
  delivery_address_line_1 varchar(255) DEFAULT NULL,
  delivery_address_line_2 varchar(255) DEFAULT NULL,
  delivery_city varchar(255) DEFAULT NULL,
  delivery_region varchar(255) DEFAULT NULL,
  delivery_postal_code varchar(255) DEFAULT NULL,
  delivery_country varchar(255) DEFAULT NULL,
  customer_processor_email varchar(255) DEFAULT NULL,
  rendered blob DEFAULT NULL,
  record_version bigint DEFAULT NULL,
  sequence bigint DEFAULT NULL,
  changed_at datetime DEFAULT NULL,
  customer_email_folded varchar(255) GENERATED ALWAYS AS (NULLIF(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REGEXP_REPLACE(customer_email, '^[\t-\r    -     　﻿]+|[\t-\r    -     　﻿]+$', ''), 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z'), customer_email)) VIRTUAL,
  customer_processor_email_folded varchar(255) GENERATED ALWAYS AS (NULLIF(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REGEXP_REPLACE(customer_processor_email, '^[\t-\r    -     　﻿]+|[\t-\r    -     　﻿]+$', ''), 'A', 'a'), 'B', 'b'), 'C', 'c'), 'D', 'd'), 'E', 'e'), 'F', 'f'), 'G', 'g'), 'H', 'h'), 'I', 'i'), 'J', 'j'), 'K', 'k'), 'L', 'l'), 'M', 'm'), 'N', 'n'), 'O', 'o'), 'P', 'p'), 'Q', 'q'), 'R', 'r'), 'S', 's'), 'T', 't'), 'U', 'u'), 'V', 'v'), 'W', 'w'), 'X', 'x'), 'Y', 'y'), 'Z', 'z'), customer_processor_email)) VIRTUAL,
  PRIMARY KEY (vendor_id, arrival) /*T![clustered_index] CLUSTERED */,
  UNIQUE KEY transactions_by_id (transaction_id),
  KEY transactions_by_sale (vendor_id, sale_date, arrival),
  KEY transactions_by_refunded_sale (vendor_id, refunded_sale_date, arrival, refund_date),
  KEY transactions_by_affiliate (affiliate_id, sale_date, vendor_id, arrival),
  KEY transactions_by_affiliate_product (affiliate_id, product_id, sale_date, status),
  KEY transactions_by_processor_email (vendor_id, customer_processor_email, sale_date, arrival),
  KEY transactions_by_sequence (vendor_id, sequence, arrival),
  KEY transactions_by_agreement (vendor_id, pre_key, sale_date, arrival),
  KEY transactions_by_customer (vendor_id, customer_email, sale_date, arrival),
  KEY transactions_by_customer_email_folded (vendor_id, customer_email_folded, sale_date, arrival),
  KEY transactions_by_customer_processor_email_folded (vendor_id, customer_processor_email_folded, sale_date, arrival)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE two_factor_requirements (
  user_id bigint NOT NULL,
  created datetime NOT NULL,
  PRIMARY KEY (user_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE unpaid_commissions (
  vendor_id bigint NOT NULL,
  series varchar(32) NOT NULL,
  day date NOT NULL,
  affiliate_id bigint NOT NULL,
  sales bigint NOT NULL,
  commission bigint NOT NULL,
  PRIMARY KEY (vendor_id, series, day, affiliate_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE upstream_problems (
  upstream_id bigint NOT NULL,
  subject varchar(255) NOT NULL,
  kind varchar(128) NOT NULL,
  text varchar(255) DEFAULT NULL,
  day date DEFAULT NULL,
  seen datetime NOT NULL,
  PRIMARY KEY (upstream_id, subject, kind) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE upstream_reads (
  upstream_id bigint NOT NULL,
  kind varchar(32) NOT NULL,
  record_key varchar(255) NOT NULL,
  sale_date datetime NOT NULL,
  failures bigint NOT NULL,
  next_try datetime NOT NULL,
  PRIMARY KEY (upstream_id, kind, record_key) /*T![clustered_index] CLUSTERED */,
  KEY upstream_reads_by_sale (upstream_id, sale_date)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE upstreams (
  id int NOT NULL AUTO_INCREMENT,
  vendor_id bigint NOT NULL,
  url varchar(2048) NOT NULL,
  state varchar(32) NOT NULL,
  secret text NOT NULL,
  token varchar(255) NOT NULL,
  words varchar(255) NOT NULL,
  every_seconds bigint NOT NULL,
  wanted varchar(32) DEFAULT NULL,
  run varchar(32) DEFAULT NULL,
  run_began datetime DEFAULT NULL,
  first_day date DEFAULT NULL,
  last_day date DEFAULT NULL,
  next_day date DEFAULT NULL,
  listed bigint NOT NULL,
  missing bigint NOT NULL,
  last_recent datetime DEFAULT NULL,
  last_quarter datetime DEFAULT NULL,
  last_full datetime DEFAULT NULL,
  next_try datetime NOT NULL,
  failures bigint NOT NULL,
  problem varchar(255) DEFAULT NULL,
  claim varchar(36) DEFAULT NULL,
  claim_ends datetime DEFAULT NULL,
  created datetime NOT NULL,
  seek_run datetime DEFAULT NULL,
  last_seek datetime DEFAULT NULL,
  payments_next datetime DEFAULT NULL,
  payments_after varchar(255) DEFAULT NULL,
  payments_seen bigint NOT NULL DEFAULT 0,
  payments_total bigint NOT NULL DEFAULT 0,
  payments_round bigint NOT NULL DEFAULT 0,
  last_payments datetime DEFAULT NULL,
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */,
  UNIQUE KEY upstreams_by_vendor (vendor_id),
  KEY upstreams_by_next_try (state, next_try)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE user_passwords (
  user_id bigint NOT NULL,
  password_hash varchar(255) NOT NULL,
  changed datetime NOT NULL,
  password_id varchar(36) NOT NULL DEFAULT '',
  PRIMARY KEY (user_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE user_two_factor (
  user_id bigint NOT NULL,
  encrypted_secret varchar(255) NOT NULL,
  confirmed datetime NOT NULL,
  last_step bigint NOT NULL,
  PRIMARY KEY (user_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE users (
  id bigint NOT NULL,
  name varchar(255) NOT NULL,
  email varchar(255) NOT NULL,
  display_name varchar(255) DEFAULT NULL,
  processor_email varchar(255) NOT NULL DEFAULT '',
  status varchar(32) NOT NULL,
  sign_in_email varchar(255) NOT NULL DEFAULT '',
  record_version bigint DEFAULT NULL,
  source_vendor_id bigint DEFAULT NULL,
  admitted varchar(16) DEFAULT NULL,
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */,
  KEY users_by_sign_in_email (sign_in_email),
  KEY users_by_source (source_vendor_id, id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE vendor_affiliates (
  vendor_id bigint NOT NULL,
  affiliate_id bigint NOT NULL,
  PRIMARY KEY (vendor_id, affiliate_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE vendor_sums (
  vendor_id bigint NOT NULL,
  series varchar(32) NOT NULL,
  kind varchar(32) NOT NULL,
  day date NOT NULL,
  item_id bigint NOT NULL,
  transactions bigint NOT NULL,
  amount bigint NOT NULL,
  earnings bigint NOT NULL,
  commissions bigint NOT NULL,
  fees bigint NOT NULL,
  PRIMARY KEY (vendor_id, series, kind, day, item_id) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE vendor_users (
  vendor_id bigint NOT NULL,
  user_id bigint NOT NULL,
  name varchar(255) NOT NULL,
  email varchar(255) NOT NULL,
  display_name varchar(255) DEFAULT NULL,
  record_version bigint DEFAULT NULL,
  PRIMARY KEY (vendor_id, user_id) /*T![clustered_index] CLUSTERED */,
  KEY vendor_users_by_user (user_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE webhook_deliveries (
  endpoint_id bigint NOT NULL,
  number bigint NOT NULL,
  webhook_id varchar(64) NOT NULL,
  first_sequence bigint DEFAULT NULL,
  last_sequence bigint DEFAULT NULL,
  changes bigint NOT NULL,
  sent datetime NOT NULL,
  duration_ms bigint NOT NULL,
  status bigint DEFAULT NULL,
  problem varchar(255) DEFAULT NULL,
  answer text,
  position bigint DEFAULT NULL,
  skipped datetime DEFAULT NULL,
  PRIMARY KEY (endpoint_id, number) /*T![clustered_index] CLUSTERED */
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;

CREATE TABLE webhook_endpoints (
  id int NOT NULL AUTO_INCREMENT,
  vendor_id bigint NOT NULL,
  url varchar(2048) NOT NULL,
  state varchar(32) NOT NULL,
  secret varchar(255) NOT NULL,
  old_secret varchar(255) DEFAULT NULL,
  old_secret_ends datetime DEFAULT NULL,
  position bigint NOT NULL,
  number bigint NOT NULL,
  failures bigint NOT NULL,
  next_try datetime NOT NULL,
  claim varchar(36) DEFAULT NULL,
  claim_ends datetime DEFAULT NULL,
  problem varchar(255) DEFAULT NULL,
  created datetime NOT NULL,
  last_taken datetime DEFAULT NULL,
  max_bytes bigint NOT NULL DEFAULT '92160',
  PRIMARY KEY (id) /*T![clustered_index] CLUSTERED */,
  KEY webhook_endpoints_by_next_try (state, next_try),
  KEY webhook_endpoints_by_vendor (vendor_id)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin;
