CREATE TABLE users (
  id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  display_name VARCHAR(255),
  status VARCHAR(32) NOT NULL, sign_in_email VARCHAR(255) NOT NULL DEFAULT '', processor_email VARCHAR(255) NOT NULL DEFAULT '', record_version BIGINT NULL, source_vendor_id BIGINT NULL, admitted VARCHAR(16) NULL,
  PRIMARY KEY (id)
);
CREATE TABLE api_applications (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  user_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  state VARCHAR(32) NOT NULL,
  created DATETIME NOT NULL,
  expires DATETIME,
  address_allow_list TEXT
, limits VARCHAR(255) NULL, last_shown DATETIME NULL, access VARCHAR(32) NOT NULL DEFAULT 'full');
CREATE INDEX api_applications_by_user ON api_applications (user_id);
CREATE TABLE api_keys (
  key_hash VARCHAR(64) NOT NULL,
  application_id BIGINT NOT NULL,
  encrypted_key VARCHAR(255) NOT NULL,
  created DATETIME NOT NULL,
  expires DATETIME, last_used DATETIME NULL,
  PRIMARY KEY (key_hash)
);
CREATE INDEX api_keys_by_application ON api_keys (application_id);
CREATE TABLE products (
  id BIGINT NOT NULL,
  vendor_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL, record_version BIGINT NULL, source_vendor_id BIGINT NULL, source_version BIGINT NULL,
  PRIMARY KEY (id)
);
CREATE INDEX products_by_vendor ON products (vendor_id, id);
CREATE TABLE affiliations (
  affiliate_id BIGINT NOT NULL,
  product_id BIGINT NOT NULL,
  created DATETIME NOT NULL,
  status VARCHAR(32) NOT NULL,
  comments TEXT,
  custom_commission BIGINT,
  delayed_commission TINYINT NOT NULL,
  custom_sales_page_url VARCHAR(2048),
  custom_payment_1st_payout BIGINT,
  custom_payment_trial_payout BIGINT, overruled TEXT NULL, record_version BIGINT NULL,
  PRIMARY KEY (affiliate_id, product_id)
);
CREATE TABLE daily_clicks (
  affiliate_id BIGINT NOT NULL,
  product_id BIGINT NOT NULL,
  date DATE NOT NULL,
  clicks BIGINT NOT NULL,
  unique_clicks BIGINT NOT NULL, record_version BIGINT NULL,
  PRIMARY KEY (affiliate_id, product_id, date)
);
CREATE TABLE transactions (
  vendor_id BIGINT NOT NULL,
  arrival BIGINT NOT NULL,
  transaction_id VARCHAR(64) NOT NULL,
  product_id BIGINT NOT NULL,
  product_name VARCHAR(255) NOT NULL,
  sale_date DATETIME NOT NULL,
  amount BIGINT NOT NULL,
  status VARCHAR(32) NOT NULL,
  pre_key VARCHAR(255),
  customer_email VARCHAR(255) NOT NULL,
  customer_first_name VARCHAR(255) NOT NULL,
  customer_last_name VARCHAR(255) NOT NULL,
  customer_ip VARCHAR(255),
  customer_phone VARCHAR(255),
  affiliate_id BIGINT,
  affiliate_commission_status VARCHAR(32) NOT NULL,
  vtid TEXT,
  custom TEXT,
  tid TEXT,
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  sub_id1 TEXT,
  sub_id2 TEXT,
  sub_id3 TEXT,
  sub_id4 TEXT,
  sub_id5 TEXT,
  gclid TEXT,
  fbclid TEXT,
  msclkid TEXT,
  ttclid TEXT,
  li_fat_id TEXT,
  twclid TEXT,
  yclid TEXT,
  other_params TEXT,
  seller_earnings BIGINT NOT NULL,
  affiliate_payout BIGINT NOT NULL,
  agent_payout BIGINT NOT NULL,
  jv_payout BIGINT NOT NULL,
  service_fee BIGINT NOT NULL,
  refund_date DATETIME,
  refund_amount BIGINT,
  seller_refund_impact BIGINT,
  affiliate_refund_impact BIGINT,
  agent_refund_impact BIGINT,
  jv_refund_impact BIGINT,
  service_fee_adjustment BIGINT,
  refunded_sale_date DATETIME,
  tax_total BIGINT,
  international_sales_tax BIGINT,
  national_sales_tax BIGINT,
  vat_tax BIGINT,
  shipping_fee BIGINT,
  delivery_name VARCHAR(255),
  delivery_phone VARCHAR(255),
  delivery_address_line_1 VARCHAR(255),
  delivery_address_line_2 VARCHAR(255),
  delivery_city VARCHAR(255),
  delivery_region VARCHAR(255),
  delivery_postal_code VARCHAR(255),
  delivery_country VARCHAR(255), customer_processor_email VARCHAR(255) NULL, rendered BLOB NULL, record_version BIGINT NULL, sequence BIGINT NULL, changed_at DATETIME NULL, customer_email_folded VARCHAR(255) GENERATED ALWAYS AS (NULLIF(LOWER(TRIM(customer_email, CHAR(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279))), customer_email)) VIRTUAL, customer_processor_email_folded VARCHAR(255) GENERATED ALWAYS AS (NULLIF(LOWER(TRIM(customer_processor_email, CHAR(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279))), customer_processor_email)) VIRTUAL,
  PRIMARY KEY (vendor_id, arrival)
);
CREATE UNIQUE INDEX transactions_by_id ON transactions (transaction_id);
CREATE INDEX transactions_by_sale ON transactions (vendor_id, sale_date, arrival);
CREATE INDEX transactions_by_refunded_sale ON transactions (vendor_id, refunded_sale_date, arrival, refund_date);
CREATE INDEX transactions_by_affiliate_product ON transactions (affiliate_id, product_id, sale_date, status);
CREATE TABLE payout_items (
  vendor_id BIGINT NOT NULL,
  arrival BIGINT NOT NULL,
  position BIGINT NOT NULL,
  payee_amount BIGINT NOT NULL,
  payee_user_id BIGINT NOT NULL,
  payee_name VARCHAR(255) NOT NULL,
  payout_type VARCHAR(255) NOT NULL,
  payment_processor VARCHAR(255) NOT NULL,
  payout_status VARCHAR(255) NOT NULL,
  PRIMARY KEY (vendor_id, arrival, position)
);
CREATE TABLE ledger_revisions (
  vendor_id BIGINT NOT NULL,
  revision BIGINT NOT NULL, longest_refund_days BIGINT NOT NULL DEFAULT 0, last_arrival BIGINT NOT NULL DEFAULT 0, last_sequence BIGINT NOT NULL DEFAULT 0, tracked_sequence BIGINT NOT NULL DEFAULT 0, has_removed BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (vendor_id)
);
CREATE TABLE ledger_arrivals (
  id BIGINT NOT NULL,
  last_arrival BIGINT NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE sale_counts (
  vendor_id BIGINT NOT NULL,
  sale_day DATE NOT NULL,
  sales BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, sale_day)
);
CREATE TABLE refund_counts (
  vendor_id BIGINT NOT NULL,
  refund_day DATE NOT NULL,
  sale_day DATE NOT NULL,
  refunds BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, refund_day, sale_day)
);
CREATE TABLE audit_log (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  created DATETIME NOT NULL,
  user_id BIGINT NOT NULL,
  application_id BIGINT NOT NULL,
  action VARCHAR(255) NOT NULL,
  subject VARCHAR(255) NOT NULL,
  state_before TEXT,
  state_after TEXT NOT NULL
, source VARCHAR(255) NULL);
CREATE TABLE recurring_cancels (
  pre_key VARCHAR(255) NOT NULL,
  claim VARCHAR(36) NOT NULL,
  ends DATETIME NOT NULL, idempotency_key VARCHAR(36) NOT NULL DEFAULT '', user_id BIGINT NOT NULL DEFAULT 0, application_id BIGINT NOT NULL DEFAULT 0, asked DATETIME NULL, tries BIGINT NOT NULL DEFAULT 0, next_try DATETIME NULL,
  PRIMARY KEY (pre_key)
);
CREATE TABLE affiliate_sales (
  affiliate_id BIGINT NOT NULL,
  product_id BIGINT NOT NULL,
  sales BIGINT NOT NULL,
  refunds BIGINT NOT NULL,
  chargebacks BIGINT NOT NULL,
  revenue BIGINT NOT NULL,
  refund_amount BIGINT NOT NULL,
  commission_earned BIGINT NOT NULL,
  commission_paid BIGINT NOT NULL,
  PRIMARY KEY (affiliate_id, product_id)
);
CREATE TABLE vendor_sums (
  vendor_id BIGINT NOT NULL,
  series VARCHAR(32) NOT NULL,
  kind VARCHAR(32) NOT NULL,
  day DATE NOT NULL,
  item_id BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  earnings BIGINT NOT NULL,
  commissions BIGINT NOT NULL,
  fees BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, series, kind, day, item_id)
);
CREATE TABLE affiliate_day_sums (
  vendor_id BIGINT NOT NULL,
  kind VARCHAR(32) NOT NULL,
  day DATE NOT NULL,
  affiliate_id BIGINT NOT NULL,
  product_id BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  earnings BIGINT NOT NULL,
  commission BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, kind, day, affiliate_id, product_id)
);
CREATE INDEX affiliate_day_sums_by_affiliate ON affiliate_day_sums (affiliate_id, day);
CREATE TABLE user_passwords (
  user_id BIGINT NOT NULL,
  password_hash VARCHAR(255) NOT NULL,
  changed DATETIME NOT NULL, password_id VARCHAR(36) NOT NULL DEFAULT '',
  PRIMARY KEY (user_id)
);
CREATE TABLE sessions (
  session_hash VARCHAR(64) NOT NULL,
  user_id BIGINT NOT NULL,
  data TEXT NOT NULL,
  created DATETIME NOT NULL,
  expires DATETIME NOT NULL, password_id VARCHAR(36) NOT NULL DEFAULT '',
  PRIMARY KEY (session_hash)
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expires ON sessions (expires);
CREATE INDEX users_by_sign_in_email ON users (sign_in_email);
CREATE INDEX transactions_by_affiliate ON transactions (affiliate_id, sale_date, vendor_id, arrival);
CREATE TABLE changed_records (
  vendor_id BIGINT NOT NULL,
  kind VARCHAR(32) NOT NULL,
  record_key VARCHAR(255) NOT NULL,
  sequence BIGINT NOT NULL,
  changed_at DATETIME NOT NULL,
  PRIMARY KEY (vendor_id, kind, record_key)
);
CREATE INDEX changed_records_by_sequence ON changed_records (vendor_id, kind, sequence);
CREATE INDEX changed_records_by_key ON changed_records (kind, record_key);
CREATE INDEX transactions_by_sequence ON transactions (vendor_id, sequence, arrival);
CREATE TABLE webhook_endpoints (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  vendor_id BIGINT NOT NULL,
  url VARCHAR(2048) NOT NULL,
  state VARCHAR(32) NOT NULL,
  secret VARCHAR(255) NOT NULL,
  old_secret VARCHAR(255) NULL,
  old_secret_ends DATETIME NULL,
  position BIGINT NOT NULL,
  number BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  next_try DATETIME NOT NULL,
  claim VARCHAR(36) NULL,
  claim_ends DATETIME NULL,
  problem VARCHAR(255) NULL,
  created DATETIME NOT NULL,
  last_taken DATETIME NULL
, max_bytes BIGINT NOT NULL DEFAULT 92160);
CREATE INDEX webhook_endpoints_by_vendor ON webhook_endpoints (vendor_id);
CREATE INDEX webhook_endpoints_by_next_try ON webhook_endpoints (state, next_try);
CREATE TABLE webhook_deliveries (
  endpoint_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  webhook_id VARCHAR(64) NOT NULL,
  first_sequence BIGINT NULL,
  last_sequence BIGINT NULL,
  changes BIGINT NOT NULL,
  sent DATETIME NOT NULL,
  duration_ms BIGINT NOT NULL,
  status BIGINT NULL,
  problem VARCHAR(255) NULL,
  answer TEXT NULL, position BIGINT NULL, skipped DATETIME NULL,
  PRIMARY KEY (endpoint_id, number)
);
CREATE TABLE upstreams (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  vendor_id BIGINT NOT NULL,
  url VARCHAR(2048) NOT NULL,
  state VARCHAR(32) NOT NULL,
  secret TEXT NOT NULL,
  token VARCHAR(255) NOT NULL,
  words VARCHAR(255) NOT NULL,
  every_seconds BIGINT NOT NULL,
  wanted VARCHAR(32) NULL,
  run VARCHAR(32) NULL,
  run_began DATETIME NULL,
  first_day DATE NULL,
  last_day DATE NULL,
  next_day DATE NULL,
  listed BIGINT NOT NULL,
  missing BIGINT NOT NULL,
  last_recent DATETIME NULL,
  last_quarter DATETIME NULL,
  last_full DATETIME NULL,
  next_try DATETIME NOT NULL,
  failures BIGINT NOT NULL,
  problem VARCHAR(255) NULL,
  claim VARCHAR(36) NULL,
  claim_ends DATETIME NULL,
  created DATETIME NOT NULL
, seek_run DATETIME NULL, last_seek DATETIME NULL, payments_next DATETIME NULL, payments_after VARCHAR(255) NULL, payments_seen BIGINT NOT NULL DEFAULT 0, payments_total BIGINT NOT NULL DEFAULT 0, payments_round BIGINT NOT NULL DEFAULT 0, last_payments DATETIME NULL);
CREATE UNIQUE INDEX upstreams_by_vendor ON upstreams (vendor_id);
CREATE INDEX upstreams_by_next_try ON upstreams (state, next_try);
CREATE TABLE upstream_reads (
  upstream_id BIGINT NOT NULL,
  kind VARCHAR(32) NOT NULL,
  record_key VARCHAR(255) NOT NULL,
  sale_date DATETIME NOT NULL,
  failures BIGINT NOT NULL,
  next_try DATETIME NOT NULL,
  PRIMARY KEY (upstream_id, kind, record_key)
);
CREATE INDEX upstream_reads_by_sale ON upstream_reads (upstream_id, sale_date);
CREATE INDEX transactions_by_customer ON transactions (vendor_id, customer_email, sale_date, arrival);
CREATE TABLE refund_cohorts (
  vendor_id BIGINT NOT NULL,
  series VARCHAR(32) NOT NULL,
  item_id BIGINT NOT NULL,
  sale_month DATE NOT NULL,
  refund_month DATE NOT NULL,
  kind VARCHAR(32) NOT NULL,
  transactions BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, series, item_id, sale_month, refund_month, kind)
);
CREATE TABLE unpaid_commissions (
  vendor_id BIGINT NOT NULL,
  series VARCHAR(32) NOT NULL,
  day DATE NOT NULL,
  affiliate_id BIGINT NOT NULL,
  sales BIGINT NOT NULL,
  commission BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, series, day, affiliate_id)
);
CREATE INDEX affiliations_by_product ON affiliations (product_id, affiliate_id);
CREATE INDEX daily_clicks_by_product ON daily_clicks (product_id, date, affiliate_id, clicks, unique_clicks);
CREATE TABLE recurring_sums (
  vendor_id BIGINT NOT NULL,
  status VARCHAR(32) NOT NULL,
  day DATE NOT NULL,
  agreements BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, status, day)
);
CREATE TABLE tracking_values (
  vendor_id BIGINT NOT NULL,
  field VARCHAR(32) NOT NULL,
  id BIGINT NOT NULL,
  value VARCHAR(255) NOT NULL,
  PRIMARY KEY (vendor_id, field, id)
);
CREATE UNIQUE INDEX tracking_values_by_value ON tracking_values (vendor_id, field, value);
CREATE TABLE tracking_sums (
  vendor_id BIGINT NOT NULL,
  series VARCHAR(32) NOT NULL,
  kind VARCHAR(32) NOT NULL,
  day DATE NOT NULL,
  value_id BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  earnings BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, series, kind, day, value_id)
);
CREATE TABLE erased_people (
  vendor_id BIGINT NOT NULL,
  person VARCHAR(64) NOT NULL,
  erased_at DATETIME NOT NULL,
  is_pending TINYINT NOT NULL, number BIGINT NOT NULL DEFAULT 0, numbered_at DATETIME NULL,
  PRIMARY KEY (vendor_id, person)
);
CREATE INDEX erased_people_by_erased_at ON erased_people (vendor_id, erased_at);
CREATE TABLE person_keys (
  id BIGINT NOT NULL,
  secret VARCHAR(255) NOT NULL, last_number BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (id)
);
CREATE TABLE retention_rules (
  vendor_id BIGINT NOT NULL,
  months BIGINT NULL,
  PRIMARY KEY (vendor_id)
);
CREATE TABLE retained_ledgers (
  vendor_id BIGINT NOT NULL,
  retained_from DATE NOT NULL,
  emptied_to DATETIME NOT NULL,
  emptied_arrival BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  recurring_payments BIGINT NOT NULL,
  done_on DATE NULL,
  claim VARCHAR(36) NULL,
  claim_ends DATETIME NULL,
  PRIMARY KEY (vendor_id)
);
CREATE TABLE personal_reads (
  vendor_id BIGINT NOT NULL,
  read_at DATETIME NOT NULL,
  writer VARCHAR(16) NOT NULL,
  number BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  application_id BIGINT NOT NULL,
  operation VARCHAR(64) NOT NULL,
  record_keys TEXT NULL,
  first_day DATE NULL,
  last_day DATE NULL,
  records BIGINT NULL,
  times BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, read_at, writer, number)
);
CREATE TABLE password_links (
  user_id BIGINT NOT NULL,
  token_hash VARCHAR(64) NOT NULL,
  kind VARCHAR(32) NOT NULL,
  sign_in_email VARCHAR(255) NOT NULL,
  created DATETIME NOT NULL,
  expires DATETIME NOT NULL,
  PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX password_links_by_token ON password_links (token_hash);
CREATE INDEX password_links_by_expires ON password_links (expires);
CREATE TABLE user_two_factor (
  user_id BIGINT NOT NULL,
  encrypted_secret VARCHAR(255) NOT NULL,
  confirmed DATETIME NOT NULL,
  last_step BIGINT NOT NULL,
  PRIMARY KEY (user_id)
);
CREATE TABLE recovery_codes (
  user_id BIGINT NOT NULL,
  code_hash VARCHAR(64) NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
CREATE TABLE two_factor_requirements (
  user_id BIGINT NOT NULL,
  created DATETIME NOT NULL,
  PRIMARY KEY (user_id)
);
CREATE TABLE sign_in_networks (
  user_id BIGINT NOT NULL,
  network VARCHAR(64) NOT NULL,
  last_sign_in DATETIME NOT NULL,
  notice VARCHAR(16) NOT NULL,
  noticed DATETIME NOT NULL,
  address VARCHAR(64) NOT NULL,
  device VARCHAR(255) NOT NULL,
  PRIMARY KEY (user_id, network)
);
CREATE INDEX sign_in_networks_by_last_sign_in ON sign_in_networks (last_sign_in);
CREATE INDEX transactions_by_agreement ON transactions (vendor_id, pre_key, sale_date, arrival) WHERE pre_key IS NOT NULL;
CREATE INDEX transactions_by_processor_email ON transactions (vendor_id, customer_processor_email, sale_date, arrival) WHERE customer_processor_email IS NOT NULL;
CREATE TABLE upstream_problems (
  upstream_id BIGINT NOT NULL,
  subject VARCHAR(255) NOT NULL,
  kind VARCHAR(128) NOT NULL,
  text VARCHAR(255) NULL,
  day DATE NULL,
  seen DATETIME NOT NULL,
  PRIMARY KEY (upstream_id, subject, kind)
);
CREATE TABLE "recurring_payments" (
  pre_key VARCHAR(255) NOT NULL,
  id BIGINT NOT NULL,
  product_id BIGINT NOT NULL,
  status VARCHAR(32) NOT NULL,
  current_payments BIGINT NOT NULL,
  max_number_of_payments BIGINT NOT NULL,
  max_total_of_all_payments BIGINT NOT NULL,
  max_amount_per_payment BIGINT NOT NULL,
  next_payment VARCHAR(256) NOT NULL,
  processor_email VARCHAR(255) NOT NULL,
  contact_email VARCHAR(255) NOT NULL,
  code VARCHAR(255) NULL,
  price BIGINT NOT NULL,
  payment_period BIGINT NOT NULL,
  payment_count BIGINT NOT NULL,
  payment_first_payout BIGINT NOT NULL,
  has_payment_trial TINYINT NOT NULL,
  payment_trial_price BIGINT NOT NULL,
  payment_trial_period BIGINT NOT NULL,
  payment_trial_payout BIGINT NOT NULL,
  payout BIGINT NULL,
  current_payments_amount BIGINT NOT NULL,
  created DATETIME NOT NULL,
  sender_email VARCHAR(255) NOT NULL,
  last_date DATETIME NULL,
  next_date DATETIME NULL,
  ip VARCHAR(255) NOT NULL,
  referrer TEXT NOT NULL,
  tid TEXT NULL,
  vtid TEXT NULL,
  overruled TEXT NULL,
  record_version BIGINT NULL,
  vendor_id BIGINT NULL,
  status_word VARCHAR(255) NULL, processor_email_folded VARCHAR(255) GENERATED ALWAYS AS (NULLIF(LOWER(TRIM(processor_email, CHAR(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279))), processor_email)) VIRTUAL, contact_email_folded VARCHAR(255) GENERATED ALWAYS AS (NULLIF(LOWER(TRIM(contact_email, CHAR(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279))), contact_email)) VIRTUAL, sender_email_folded VARCHAR(255) GENERATED ALWAYS AS (NULLIF(LOWER(TRIM(sender_email, CHAR(9, 10, 11, 12, 13, 32, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288, 65279))), sender_email)) VIRTUAL,
  PRIMARY KEY (pre_key)
);
CREATE INDEX recurring_payments_by_created ON recurring_payments (vendor_id, status, created, pre_key);
CREATE INDEX recurring_payments_by_processor_email ON recurring_payments (vendor_id, processor_email, pre_key);
CREATE INDEX recurring_payments_by_contact_email ON recurring_payments (vendor_id, contact_email, pre_key);
CREATE INDEX recurring_payments_by_sender_email ON recurring_payments (vendor_id, sender_email, pre_key);
CREATE INDEX recurring_payments_by_vendor ON recurring_payments (vendor_id, pre_key);
CREATE INDEX recurring_payments_by_next_date ON recurring_payments (vendor_id, status, next_date, pre_key);
CREATE TABLE vendor_users (
  vendor_id BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL,
  display_name VARCHAR(255) NULL,
  record_version BIGINT NULL,
  PRIMARY KEY (vendor_id, user_id)
);
CREATE INDEX vendor_users_by_user ON vendor_users (user_id);
CREATE TABLE vendor_affiliates (
  vendor_id BIGINT NOT NULL,
  affiliate_id BIGINT NOT NULL,
  PRIMARY KEY (vendor_id, affiliate_id)
);
CREATE INDEX users_by_source ON users (source_vendor_id, id) WHERE source_vendor_id IS NOT NULL;
CREATE INDEX products_by_source ON products (source_vendor_id, id) WHERE source_vendor_id IS NOT NULL;
CREATE INDEX erased_people_by_number ON erased_people (number, vendor_id, person);
CREATE INDEX erased_people_by_pending ON erased_people (is_pending, vendor_id, person);
CREATE TABLE erasure_files (
  id VARCHAR(32) NOT NULL,
  entries BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  ending VARCHAR(64) NOT NULL,
  secret VARCHAR(255) NOT NULL,
  through BIGINT NOT NULL,
  seen DATETIME NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE open_imports (
  id VARCHAR(36) NOT NULL,
  vendor_id BIGINT NOT NULL,
  ends DATETIME NOT NULL,
  PRIMARY KEY (id)
);
CREATE TABLE early_erasures (
  vendor_id BIGINT NOT NULL,
  tombstones BIGINT NOT NULL,
  PRIMARY KEY (vendor_id)
);
CREATE INDEX transactions_by_customer_email_folded ON transactions (vendor_id, customer_email_folded, sale_date, arrival) WHERE customer_email_folded IS NOT NULL;
CREATE INDEX transactions_by_customer_processor_email_folded ON transactions (vendor_id, customer_processor_email_folded, sale_date, arrival) WHERE customer_processor_email_folded IS NOT NULL;
CREATE INDEX recurring_payments_by_processor_email_folded ON recurring_payments (vendor_id, processor_email_folded, pre_key) WHERE processor_email_folded IS NOT NULL;
CREATE INDEX recurring_payments_by_contact_email_folded ON recurring_payments (vendor_id, contact_email_folded, pre_key) WHERE contact_email_folded IS NOT NULL;
CREATE INDEX recurring_payments_by_sender_email_folded ON recurring_payments (vendor_id, sender_email_folded, pre_key) WHERE sender_email_folded IS NOT NULL;
