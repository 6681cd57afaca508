CREATE TABLE `affiliate_day_sums` (
  `vendor_id` bigint(20) NOT NULL,
  `kind` varchar(32) NOT NULL,
  `day` date NOT NULL,
  `affiliate_id` bigint(20) NOT NULL,
  `product_id` bigint(20) NOT NULL,
  `transactions` bigint(20) NOT NULL,
  `amount` bigint(20) NOT NULL,
  `earnings` bigint(20) NOT NULL,
  `commission` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`kind`,`day`,`affiliate_id`,`product_id`),
  KEY `affiliate_day_sums_by_affiliate` (`affiliate_id`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `affiliate_sales` (
  `affiliate_id` bigint(20) NOT NULL,
  `product_id` bigint(20) NOT NULL,
  `sales` bigint(20) NOT NULL,
  `refunds` bigint(20) NOT NULL,
  `chargebacks` bigint(20) NOT NULL,
  `revenue` bigint(20) NOT NULL,
  `refund_amount` bigint(20) NOT NULL,
  `commission_earned` bigint(20) NOT NULL,
  `commission_paid` bigint(20) NOT NULL,
  PRIMARY KEY (`affiliate_id`,`product_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `affiliations` (
  `affiliate_id` bigint(20) NOT NULL,
  `product_id` bigint(20) NOT NULL,
  `created` datetime NOT NULL,
  `status` varchar(32) NOT NULL,
  `comments` text DEFAULT NULL,
  `custom_commission` bigint(20) DEFAULT NULL,
  `delayed_commission` tinyint(4) NOT NULL,
  `custom_sales_page_url` varchar(2048) DEFAULT NULL,
  `custom_payment_1st_payout` bigint(20) DEFAULT NULL,
  `custom_payment_trial_payout` bigint(20) DEFAULT NULL,
  `overruled` text DEFAULT NULL,
  `record_version` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`affiliate_id`,`product_id`),
  KEY `affiliations_by_product` (`product_id`,`affiliate_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `api_applications` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `user_id` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  `state` varchar(32) NOT NULL,
  `created` datetime NOT NULL,
  `expires` datetime DEFAULT NULL,
  `address_allow_list` text DEFAULT NULL,
  `limits` varchar(255) DEFAULT NULL,
  `last_shown` datetime DEFAULT NULL,
  `access` varchar(32) NOT NULL DEFAULT 'full',
  PRIMARY KEY (`id`),
  KEY `api_applications_by_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `api_keys` (
  `key_hash` varchar(64) NOT NULL,
  `application_id` bigint(20) NOT NULL,
  `encrypted_key` varchar(255) NOT NULL,
  `created` datetime NOT NULL,
  `expires` datetime DEFAULT NULL,
  `last_used` datetime DEFAULT NULL,
  PRIMARY KEY (`key_hash`),
  KEY `api_keys_by_application` (`application_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `audit_log` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `created` datetime NOT NULL,
  `user_id` bigint(20) NOT NULL,
  `application_id` bigint(20) NOT NULL,
  `action` varchar(255) NOT NULL,
  `subject` varchar(255) NOT NULL,
  `state_before` text DEFAULT NULL,
  `state_after` text NOT NULL,
  `source` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `changed_records` (
  `vendor_id` bigint(20) NOT NULL,
  `kind` varchar(32) NOT NULL,
  `record_key` varchar(255) NOT NULL,
  `sequence` bigint(20) NOT NULL,
  `changed_at` datetime NOT NULL,
  PRIMARY KEY (`vendor_id`,`kind`,`record_key`),
  KEY `changed_records_by_sequence` (`vendor_id`,`kind`,`sequence`),
  KEY `changed_records_by_key` (`kind`,`record_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `daily_clicks` (
  `affiliate_id` bigint(20) NOT NULL,
  `product_id` bigint(20) NOT NULL,
  `date` date NOT NULL,
  `clicks` bigint(20) NOT NULL,
  `unique_clicks` bigint(20) NOT NULL,
  `record_version` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`affiliate_id`,`product_id`,`date`),
  KEY `daily_clicks_by_product` (`product_id`,`date`,`affiliate_id`,`clicks`,`unique_clicks`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `early_erasures` (
  `vendor_id` bigint(20) NOT NULL,
  `tombstones` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `erased_people` (
  `vendor_id` bigint(20) NOT NULL,
  `person` varchar(64) NOT NULL,
  `erased_at` datetime NOT NULL,
  `is_pending` tinyint(4) NOT NULL,
  `number` bigint(20) NOT NULL DEFAULT 0,
  `numbered_at` datetime DEFAULT NULL,
  PRIMARY KEY (`vendor_id`,`person`),
  KEY `erased_people_by_erased_at` (`vendor_id`,`erased_at`),
  KEY `erased_people_by_number` (`number`,`vendor_id`,`person`),
  KEY `erased_people_by_pending` (`is_pending`,`vendor_id`,`person`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `erasure_files` (
  `id` varchar(32) NOT NULL,
  `entries` bigint(20) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `ending` varchar(64) NOT NULL,
  `secret` varchar(255) NOT NULL,
  `through` bigint(20) NOT NULL,
  `seen` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `ledger_arrivals` (
  `id` bigint(20) NOT NULL,
  `last_arrival` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `ledger_revisions` (
  `vendor_id` bigint(20) NOT NULL,
  `revision` bigint(20) NOT NULL,
  `longest_refund_days` bigint(20) NOT NULL DEFAULT 0,
  `last_arrival` bigint(20) NOT NULL DEFAULT 0,
  `last_sequence` bigint(20) NOT NULL DEFAULT 0,
  `tracked_sequence` bigint(20) NOT NULL DEFAULT 0,
  `has_removed` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`vendor_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `open_imports` (
  `id` varchar(36) NOT NULL,
  `vendor_id` bigint(20) NOT NULL,
  `ends` datetime NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `password_links` (
  `user_id` bigint(20) NOT NULL,
  `token_hash` varchar(64) NOT NULL,
  `kind` varchar(32) NOT NULL,
  `sign_in_email` varchar(255) NOT NULL,
  `created` datetime NOT NULL,
  `expires` datetime NOT NULL,
  PRIMARY KEY (`user_id`),
  UNIQUE KEY `password_links_by_token` (`token_hash`),
  KEY `password_links_by_expires` (`expires`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `payout_items` (
  `vendor_id` bigint(20) NOT NULL,
  `arrival` bigint(20) NOT NULL,
  `position` bigint(20) NOT NULL,
  `payee_amount` bigint(20) NOT NULL,
  `payee_user_id` bigint(20) NOT NULL,
  `payee_name` varchar(255) NOT NULL,
  `payout_type` varchar(255) NOT NULL,
  `payment_processor` varchar(255) NOT NULL,
  `payout_status` varchar(255) NOT NULL,
  PRIMARY KEY (`vendor_id`,`arrival`,`position`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `person_keys` (
  `id` bigint(20) NOT NULL,
  `secret` varchar(255) NOT NULL,
  `last_number` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `personal_reads` (
  `vendor_id` bigint(20) NOT NULL,
  `read_at` datetime NOT NULL,
  `writer` varchar(16) NOT NULL,
  `number` bigint(20) NOT NULL,
  `user_id` bigint(20) NOT NULL,
  `application_id` bigint(20) NOT NULL,
  `operation` varchar(64) NOT NULL,
  `record_keys` text DEFAULT NULL,
  `first_day` date DEFAULT NULL,
  `last_day` date DEFAULT NULL,
  `records` bigint(20) DEFAULT NULL,
  `times` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`read_at`,`writer`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `products` (
  `id` bigint(20) NOT NULL,
  `vendor_id` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  `record_version` bigint(20) DEFAULT NULL,
  `source_vendor_id` bigint(20) DEFAULT NULL,
  `source_version` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `products_by_vendor` (`vendor_id`,`id`),
  KEY `products_by_source` (`source_vendor_id`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `recovery_codes` (
  `user_id` bigint(20) NOT NULL,
  `code_hash` varchar(64) NOT NULL,
  PRIMARY KEY (`user_id`,`code_hash`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `recurring_cancels` (
  `pre_key` varchar(255) NOT NULL,
  `claim` varchar(36) NOT NULL,
  `ends` datetime NOT NULL,
  `idempotency_key` varchar(36) NOT NULL DEFAULT '',
  `user_id` bigint(20) NOT NULL DEFAULT 0,
  `application_id` bigint(20) NOT NULL DEFAULT 0,
  `asked` datetime DEFAULT NULL,
  `tries` bigint(20) NOT NULL DEFAULT 0,
  `next_try` datetime DEFAULT NULL,
  PRIMARY KEY (`pre_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `recurring_payments` (
  `pre_key` varchar(255) NOT NULL,
  `id` bigint(20) NOT NULL,
  `product_id` bigint(20) NOT NULL,
  `status` varchar(32) NOT NULL,
  `current_payments` bigint(20) NOT NULL,
  `max_number_of_payments` bigint(20) NOT NULL,
  `max_total_of_all_payments` bigint(20) NOT NULL,
  `max_amount_per_payment` bigint(20) NOT NULL,
  `next_payment` varchar(256) NOT NULL,
  `processor_email` varchar(255) NOT NULL,
  `contact_email` varchar(255) NOT NULL,
  `code` varchar(255) DEFAULT NULL,
  `price` bigint(20) NOT NULL,
  `payment_period` bigint(20) NOT NULL,
  `payment_count` bigint(20) NOT NULL,
  `payment_first_payout` bigint(20) NOT NULL,
  `has_payment_trial` tinyint(4) NOT NULL,
  `payment_trial_price` bigint(20) NOT NULL,
  `payment_trial_period` bigint(20) NOT NULL,
  `payment_trial_payout` bigint(20) NOT NULL,
  `payout` bigint(20) DEFAULT NULL,
  `current_payments_amount` bigint(20) NOT NULL,
  `created` datetime NOT NULL,
  `sender_email` varchar(255) NOT NULL,
  `last_date` datetime DEFAULT NULL,
  `next_date` datetime DEFAULT NULL,
  `ip` varchar(255) NOT NULL,
  `referrer` text NOT NULL,
  `tid` text DEFAULT NULL,
  `vtid` text DEFAULT NULL,
  `overruled` text DEFAULT NULL,
  `record_version` bigint(20) DEFAULT NULL,
  `vendor_id` bigint(20) DEFAULT NULL,
  `status_word` varchar(255) DEFAULT NULL,
  `processor_email_folded` varchar(255) GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(`processor_email`,'^[	-\r    -     　﻿]+|[	-\r    -     　﻿]+$',''),'A','a'),'B','b'),'C','c'),'D','d'),'E','e'),'F','f'),'G','g'),'H','h'),'I','i'),'J','j'),'K','k'),'L','l'),'M','m'),'N','n'),'O','o'),'P','p'),'Q','q'),'R','r'),'S','s'),'T','t'),'U','u'),'V','v'),'W','w'),'X','x'),'Y','y'),'Z','z'),`processor_email`)) VIRTUAL,
  `contact_email_folded` varchar(255) GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(`contact_email`,'^[	-\r    -     　﻿]+|[	-\r    -     　﻿]+$',''),'A','a'),'B','b'),'C','c'),'D','d'),'E','e'),'F','f'),'G','g'),'H','h'),'I','i'),'J','j'),'K','k'),'L','l'),'M','m'),'N','n'),'O','o'),'P','p'),'Q','q'),'R','r'),'S','s'),'T','t'),'U','u'),'V','v'),'W','w'),'X','x'),'Y','y'),'Z','z'),`contact_email`)) VIRTUAL,
  `sender_email_folded` varchar(255) GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(`sender_email`,'^[	-\r    -     　﻿]+|[	-\r    -     　﻿]+$',''),'A','a'),'B','b'),'C','c'),'D','d'),'E','e'),'F','f'),'G','g'),'H','h'),'I','i'),'J','j'),'K','k'),'L','l'),'M','m'),'N','n'),'O','o'),'P','p'),'Q','q'),'R','r'),'S','s'),'T','t'),'U','u'),'V','v'),'W','w'),'X','x'),'Y','y'),'Z','z'),`sender_email`)) VIRTUAL,
  PRIMARY KEY (`pre_key`),
  KEY `recurring_payments_by_created` (`vendor_id`,`status`,`created`,`pre_key`),
  KEY `recurring_payments_by_processor_email` (`vendor_id`,`processor_email`,`pre_key`),
  KEY `recurring_payments_by_contact_email` (`vendor_id`,`contact_email`,`pre_key`),
  KEY `recurring_payments_by_sender_email` (`vendor_id`,`sender_email`,`pre_key`),
  KEY `recurring_payments_by_vendor` (`vendor_id`,`pre_key`),
  KEY `recurring_payments_by_next_date` (`vendor_id`,`status`,`next_date`,`pre_key`),
  KEY `recurring_payments_by_processor_email_folded` (`vendor_id`,`processor_email_folded`,`pre_key`),
  KEY `recurring_payments_by_contact_email_folded` (`vendor_id`,`contact_email_folded`,`pre_key`),
  KEY `recurring_payments_by_sender_email_folded` (`vendor_id`,`sender_email_folded`,`pre_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `recurring_sums` (
  `vendor_id` bigint(20) NOT NULL,
  `status` varchar(32) NOT NULL,
  `day` date NOT NULL,
  `agreements` bigint(20) NOT NULL,
  `amount` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`status`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `refund_cohorts` (
  `vendor_id` bigint(20) NOT NULL,
  `series` varchar(32) NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `sale_month` date NOT NULL,
  `refund_month` date NOT NULL,
  `kind` varchar(32) NOT NULL,
  `transactions` bigint(20) NOT NULL,
  `amount` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`series`,`item_id`,`sale_month`,`refund_month`,`kind`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `refund_counts` (
  `vendor_id` bigint(20) NOT NULL,
  `refund_day` date NOT NULL,
  `sale_day` date NOT NULL,
  `refunds` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`refund_day`,`sale_day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `retained_ledgers` (
  `vendor_id` bigint(20) NOT NULL,
  `retained_from` date NOT NULL,
  `emptied_to` datetime NOT NULL,
  `emptied_arrival` bigint(20) NOT NULL,
  `transactions` bigint(20) NOT NULL,
  `recurring_payments` bigint(20) NOT NULL,
  `done_on` date DEFAULT NULL,
  `claim` varchar(36) DEFAULT NULL,
  `claim_ends` datetime DEFAULT NULL,
  PRIMARY KEY (`vendor_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `retention_rules` (
  `vendor_id` bigint(20) NOT NULL,
  `months` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`vendor_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `sale_counts` (
  `vendor_id` bigint(20) NOT NULL,
  `sale_day` date NOT NULL,
  `sales` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`sale_day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `sessions` (
  `session_hash` varchar(64) NOT NULL,
  `user_id` bigint(20) NOT NULL,
  `data` text NOT NULL,
  `created` datetime NOT NULL,
  `expires` datetime NOT NULL,
  `password_id` varchar(36) NOT NULL DEFAULT '',
  PRIMARY KEY (`session_hash`),
  KEY `sessions_by_user` (`user_id`),
  KEY `sessions_by_expires` (`expires`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `sign_in_networks` (
  `user_id` bigint(20) NOT NULL,
  `network` varchar(64) NOT NULL,
  `last_sign_in` datetime NOT NULL,
  `notice` varchar(16) NOT NULL,
  `noticed` datetime NOT NULL,
  `address` varchar(64) NOT NULL,
  `device` varchar(255) NOT NULL,
  PRIMARY KEY (`user_id`,`network`),
  KEY `sign_in_networks_by_last_sign_in` (`last_sign_in`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `tracking_sums` (
  `vendor_id` bigint(20) NOT NULL,
  `series` varchar(32) NOT NULL,
  `kind` varchar(32) NOT NULL,
  `day` date NOT NULL,
  `value_id` bigint(20) NOT NULL,
  `transactions` bigint(20) NOT NULL,
  `amount` bigint(20) NOT NULL,
  `earnings` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`series`,`kind`,`day`,`value_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `tracking_values` (
  `vendor_id` bigint(20) NOT NULL,
  `field` varchar(32) NOT NULL,
  `id` bigint(20) NOT NULL,
  `value` varchar(255) NOT NULL,
  PRIMARY KEY (`vendor_id`,`field`,`id`),
  UNIQUE KEY `tracking_values_by_value` (`vendor_id`,`field`,`value`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `transactions` (
  `vendor_id` bigint(20) NOT NULL,
  `arrival` bigint(20) NOT NULL,
  `transaction_id` varchar(64) NOT NULL,
  `product_id` bigint(20) NOT NULL,
  `product_name` varchar(255) NOT NULL,
  `sale_date` datetime NOT NULL,
  `amount` bigint(20) NOT NULL,
  `status` varchar(32) NOT NULL,
  `pre_key` varchar(255) DEFAULT NULL,
  `customer_email` varchar(255) NOT NULL,
  `customer_first_name` varchar(255) NOT NULL,
  `customer_last_name` varchar(255) NOT NULL,
  `customer_ip` varchar(255) DEFAULT NULL,
  `customer_phone` varchar(255) DEFAULT NULL,
  `affiliate_id` bigint(20) DEFAULT NULL,
  `affiliate_commission_status` varchar(32) NOT NULL,
  `vtid` text DEFAULT NULL,
  `custom` text DEFAULT NULL,
  `tid` text DEFAULT NULL,
  `utm_source` text DEFAULT NULL,
  `utm_medium` text DEFAULT NULL,
  `utm_campaign` text DEFAULT NULL,
  `utm_content` text DEFAULT NULL,
  `utm_term` text DEFAULT NULL,
  `sub_id1` text DEFAULT NULL,
  `sub_id2` text DEFAULT NULL,
  `sub_id3` text DEFAULT NULL,
  `sub_id4` text DEFAULT NULL,
  `sub_id5` text DEFAULT NULL,
  `gclid` text DEFAULT NULL,
  `fbclid` text DEFAULT NULL,
  `msclkid` text DEFAULT NULL,
  `ttclid` text DEFAULT NULL,
  `li_fat_id` text DEFAULT NULL,
  `twclid` text DEFAULT NULL,
  `yclid` text DEFAULT NULL,
  `other_params` text DEFAULT NULL,
  `seller_earnings` bigint(20) NOT NULL,
  `affiliate_payout` bigint(20) NOT NULL,
  `agent_payout` bigint(20) NOT NULL,
  `jv_payout` bigint(20) NOT NULL,
  `service_fee` bigint(20) NOT NULL,
  `refund_date` datetime DEFAULT NULL,
  `refund_amount` bigint(20) DEFAULT NULL,
  `seller_refund_impact` bigint(20) DEFAULT NULL,
  `affiliate_refund_impact` bigint(20) DEFAULT NULL,
  `agent_refund_impact` bigint(20) DEFAULT NULL,
  `jv_refund_impact` bigint(20) DEFAULT NULL,
  `service_fee_adjustment` bigint(20) DEFAULT NULL,
  `refunded_sale_date` datetime DEFAULT NULL,
  `tax_total` bigint(20) DEFAULT NULL,
  `international_sales_tax` bigint(20) DEFAULT NULL,
  `national_sales_tax` bigint(20) DEFAULT NULL,
  `vat_tax` bigint(20) DEFAULT NULL,
  `shipping_fee` bigint(20) DEFAULT NULL,
  `delivery_name` varchar(255) DEFAULT NULL,
  `delivery_phone` varchar(255) DEFAULT NULL,
  `delivery_address_line_1` varchar(255) DEFAULT NULL,
  `delivery_address_line_2` varchar(255) DEFAULT NULL,
  `delivery_city` varchar(255) DEFAULT NULL,
  `delivery_region` varchar(255) DEFAULT NULL,
  `delivery_postal_code` varchar(255) DEFAULT NULL,
  `delivery_country` varchar(255) DEFAULT NULL,
  `customer_processor_email` varchar(255) DEFAULT NULL,
  `rendered` blob DEFAULT NULL,
  `record_version` bigint(20) DEFAULT NULL,
  `sequence` bigint(20) DEFAULT NULL,
  `changed_at` datetime DEFAULT NULL,
  `customer_email_folded` varchar(255) GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(`customer_email`,'^[	-\r    -     　﻿]+|[	-\r    -     　﻿]+$',''),'A','a'),'B','b'),'C','c'),'D','d'),'E','e'),'F','f'),'G','g'),'H','h'),'I','i'),'J','j'),'K','k'),'L','l'),'M','m'),'N','n'),'O','o'),'P','p'),'Q','q'),'R','r'),'S','s'),'T','t'),'U','u'),'V','v'),'W','w'),'X','x'),'Y','y'),'Z','z'),`customer_email`)) VIRTUAL,
  `customer_processor_email_folded` varchar(255) GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(`customer_processor_email`,'^[	-\r    -     　﻿]+|[	-\r    -     　﻿]+$',''),'A','a'),'B','b'),'C','c'),'D','d'),'E','e'),'F','f'),'G','g'),'H','h'),'I','i'),'J','j'),'K','k'),'L','l'),'M','m'),'N','n'),'O','o'),'P','p'),'Q','q'),'R','r'),'S','s'),'T','t'),'U','u'),'V','v'),'W','w'),'X','x'),'Y','y'),'Z','z'),`customer_processor_email`)) VIRTUAL,
  PRIMARY KEY (`vendor_id`,`arrival`),
  UNIQUE KEY `transactions_by_id` (`transaction_id`),
  KEY `transactions_by_sale` (`vendor_id`,`sale_date`,`arrival`),
  KEY `transactions_by_refunded_sale` (`vendor_id`,`refunded_sale_date`,`arrival`,`refund_date`),
  KEY `transactions_by_affiliate_product` (`affiliate_id`,`product_id`,`sale_date`,`status`),
  KEY `transactions_by_affiliate` (`affiliate_id`,`sale_date`,`vendor_id`,`arrival`),
  KEY `transactions_by_sequence` (`vendor_id`,`sequence`,`arrival`),
  KEY `transactions_by_agreement` (`vendor_id`,`pre_key`,`sale_date`,`arrival`),
  KEY `transactions_by_customer` (`vendor_id`,`customer_email`,`sale_date`,`arrival`),
  KEY `transactions_by_processor_email` (`vendor_id`,`customer_processor_email`,`sale_date`,`arrival`),
  KEY `transactions_by_customer_email_folded` (`vendor_id`,`customer_email_folded`,`sale_date`,`arrival`),
  KEY `transactions_by_customer_processor_email_folded` (`vendor_id`,`customer_processor_email_folded`,`sale_date`,`arrival`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `two_factor_requirements` (
  `user_id` bigint(20) NOT NULL,
  `created` datetime NOT NULL,
  PRIMARY KEY (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `unpaid_commissions` (
  `vendor_id` bigint(20) NOT NULL,
  `series` varchar(32) NOT NULL,
  `day` date NOT NULL,
  `affiliate_id` bigint(20) NOT NULL,
  `sales` bigint(20) NOT NULL,
  `commission` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`series`,`day`,`affiliate_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `upstream_problems` (
  `upstream_id` bigint(20) NOT NULL,
  `subject` varchar(255) NOT NULL,
  `kind` varchar(128) NOT NULL,
  `text` varchar(255) DEFAULT NULL,
  `day` date DEFAULT NULL,
  `seen` datetime NOT NULL,
  PRIMARY KEY (`upstream_id`,`subject`,`kind`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `upstream_reads` (
  `upstream_id` bigint(20) NOT NULL,
  `kind` varchar(32) NOT NULL,
  `record_key` varchar(255) NOT NULL,
  `sale_date` datetime NOT NULL,
  `failures` bigint(20) NOT NULL,
  `next_try` datetime NOT NULL,
  PRIMARY KEY (`upstream_id`,`kind`,`record_key`),
  KEY `upstream_reads_by_sale` (`upstream_id`,`sale_date`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `upstreams` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `vendor_id` bigint(20) NOT NULL,
  `url` varchar(2048) NOT NULL,
  `state` varchar(32) NOT NULL,
  `secret` text NOT NULL,
  `token` varchar(255) NOT NULL,
  `words` varchar(255) NOT NULL,
  `every_seconds` bigint(20) NOT NULL,
  `wanted` varchar(32) DEFAULT NULL,
  `run` varchar(32) DEFAULT NULL,
  `run_began` datetime DEFAULT NULL,
  `first_day` date DEFAULT NULL,
  `last_day` date DEFAULT NULL,
  `next_day` date DEFAULT NULL,
  `listed` bigint(20) NOT NULL,
  `missing` bigint(20) NOT NULL,
  `last_recent` datetime DEFAULT NULL,
  `last_quarter` datetime DEFAULT NULL,
  `last_full` datetime DEFAULT NULL,
  `next_try` datetime NOT NULL,
  `failures` bigint(20) NOT NULL,
  `problem` varchar(255) DEFAULT NULL,
  `claim` varchar(36) DEFAULT NULL,
  `claim_ends` datetime DEFAULT NULL,
  `created` datetime NOT NULL,
  `seek_run` datetime DEFAULT NULL,
  `last_seek` datetime DEFAULT NULL,
  `payments_next` datetime DEFAULT NULL,
  `payments_after` varchar(255) DEFAULT NULL,
  `payments_seen` bigint(20) NOT NULL DEFAULT 0,
  `payments_total` bigint(20) NOT NULL DEFAULT 0,
  `payments_round` bigint(20) NOT NULL DEFAULT 0,
  `last_payments` datetime DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `upstreams_by_vendor` (`vendor_id`),
  KEY `upstreams_by_next_try` (`state`,`next_try`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `user_passwords` (
  `user_id` bigint(20) NOT NULL,
  `password_hash` varchar(255) NOT NULL,
  `changed` datetime NOT NULL,
  `password_id` varchar(36) NOT NULL DEFAULT '',
  PRIMARY KEY (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `user_two_factor` (
  `user_id` bigint(20) NOT NULL,
  `encrypted_secret` varchar(255) NOT NULL,
  `confirmed` datetime NOT NULL,
  `last_step` bigint(20) NOT NULL,
  PRIMARY KEY (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `users` (
  `id` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  `email` varchar(255) NOT NULL,
  `display_name` varchar(255) DEFAULT NULL,
  `processor_email` varchar(255) NOT NULL DEFAULT '',
  `status` varchar(32) NOT NULL,
  `sign_in_email` varchar(255) NOT NULL DEFAULT '',
  `record_version` bigint(20) DEFAULT NULL,
  `source_vendor_id` bigint(20) DEFAULT NULL,
  `admitted` varchar(16) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `users_by_sign_in_email` (`sign_in_email`),
  KEY `users_by_source` (`source_vendor_id`,`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `vendor_affiliates` (
  `vendor_id` bigint(20) NOT NULL,
  `affiliate_id` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`affiliate_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `vendor_sums` (
  `vendor_id` bigint(20) NOT NULL,
  `series` varchar(32) NOT NULL,
  `kind` varchar(32) NOT NULL,
  `day` date NOT NULL,
  `item_id` bigint(20) NOT NULL,
  `transactions` bigint(20) NOT NULL,
  `amount` bigint(20) NOT NULL,
  `earnings` bigint(20) NOT NULL,
  `commissions` bigint(20) NOT NULL,
  `fees` bigint(20) NOT NULL,
  PRIMARY KEY (`vendor_id`,`series`,`kind`,`day`,`item_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `vendor_users` (
  `vendor_id` bigint(20) NOT NULL,
  `user_id` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  `email` varchar(255) NOT NULL,
  `display_name` varchar(255) DEFAULT NULL,
  `record_version` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`vendor_id`,`user_id`),
  KEY `vendor_users_by_user` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `webhook_deliveries` (
  `endpoint_id` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `webhook_id` varchar(64) NOT NULL,
  `first_sequence` bigint(20) DEFAULT NULL,
  `last_sequence` bigint(20) DEFAULT NULL,
  `changes` bigint(20) NOT NULL,
  `sent` datetime NOT NULL,
  `duration_ms` bigint(20) NOT NULL,
  `status` bigint(20) DEFAULT NULL,
  `problem` varchar(255) DEFAULT NULL,
  `answer` text DEFAULT NULL,
  `position` bigint(20) DEFAULT NULL,
  `skipped` datetime DEFAULT NULL,
  PRIMARY KEY (`endpoint_id`,`number`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
CREATE TABLE `webhook_endpoints` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `vendor_id` bigint(20) NOT NULL,
  `url` varchar(2048) NOT NULL,
  `state` varchar(32) NOT NULL,
  `secret` varchar(255) NOT NULL,
  `old_secret` varchar(255) DEFAULT NULL,
  `old_secret_ends` datetime DEFAULT NULL,
  `position` bigint(20) NOT NULL,
  `number` bigint(20) NOT NULL,
  `failures` bigint(20) NOT NULL,
  `next_try` datetime NOT NULL,
  `claim` varchar(36) DEFAULT NULL,
  `claim_ends` datetime DEFAULT NULL,
  `problem` varchar(255) DEFAULT NULL,
  `created` datetime NOT NULL,
  `last_taken` datetime DEFAULT NULL,
  `max_bytes` bigint(20) NOT NULL DEFAULT 92160,
  PRIMARY KEY (`id`),
  KEY `webhook_endpoints_by_vendor` (`vendor_id`),
  KEY `webhook_endpoints_by_next_try` (`state`,`next_try`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin ROW_FORMAT=DYNAMIC;
