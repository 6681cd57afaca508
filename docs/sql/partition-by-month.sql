-- Partitions the transactions by the month of their sale, on MySQL and MariaDB.
-- docs/operating/partitions.md says when this is useful, what it costs, which rights it needs, and
-- what the database no longer guarantees.
--
-- Stop the service and every import first: the table is copied, and cannot be written to meanwhile.
-- List the months of your ledger: older sales are in the first partition, newer ones in the last, which
-- should stay empty.

-- A unique key must contain the column by which the table is partitioned, so no key of the table itself
-- can refuse a transaction_id that already exists. This table does, and the triggers keep it in sync.
CREATE TABLE transaction_ids (PRIMARY KEY (transaction_id)) ENGINE=InnoDB
  SELECT transaction_id FROM transactions;

-- The date comes before the arrival: otherwise MySQL would use the primary key for a feed, and sort.
ALTER TABLE transactions
  DROP PRIMARY KEY, ADD PRIMARY KEY (vendor_id, sale_date, arrival),
  ADD INDEX transactions_by_arrival (arrival, vendor_id),
  DROP INDEX transactions_by_id, ADD INDEX transactions_by_id (transaction_id)
PARTITION BY RANGE COLUMNS (sale_date) (
  PARTITION before_all VALUES LESS THAN ('2024-01-01'),
  PARTITION p202401 VALUES LESS THAN ('2024-02-01'),
  PARTITION p202402 VALUES LESS THAN ('2024-03-01'),
  PARTITION p202403 VALUES LESS THAN ('2024-04-01'),
  PARTITION p202404 VALUES LESS THAN ('2024-05-01'),
  PARTITION p202405 VALUES LESS THAN ('2024-06-01'),
  PARTITION p202406 VALUES LESS THAN ('2024-07-01'),
  PARTITION p202407 VALUES LESS THAN ('2024-08-01'),
  PARTITION p202408 VALUES LESS THAN ('2024-09-01'),
  PARTITION p202409 VALUES LESS THAN ('2024-10-01'),
  PARTITION p202410 VALUES LESS THAN ('2024-11-01'),
  PARTITION p202411 VALUES LESS THAN ('2024-12-01'),
  PARTITION p202412 VALUES LESS THAN ('2025-01-01'),
  PARTITION p202501 VALUES LESS THAN ('2025-02-01'),
  PARTITION p202502 VALUES LESS THAN ('2025-03-01'),
  PARTITION p202503 VALUES LESS THAN ('2025-04-01'),
  PARTITION p202504 VALUES LESS THAN ('2025-05-01'),
  PARTITION p202505 VALUES LESS THAN ('2025-06-01'),
  PARTITION p202506 VALUES LESS THAN ('2025-07-01'),
  PARTITION p202507 VALUES LESS THAN ('2025-08-01'),
  PARTITION p202508 VALUES LESS THAN ('2025-09-01'),
  PARTITION p202509 VALUES LESS THAN ('2025-10-01'),
  PARTITION p202510 VALUES LESS THAN ('2025-11-01'),
  PARTITION p202511 VALUES LESS THAN ('2025-12-01'),
  PARTITION p202512 VALUES LESS THAN ('2026-01-01'),
  PARTITION p202601 VALUES LESS THAN ('2026-02-01'),
  PARTITION p202602 VALUES LESS THAN ('2026-03-01'),
  PARTITION p202603 VALUES LESS THAN ('2026-04-01'),
  PARTITION p202604 VALUES LESS THAN ('2026-05-01'),
  PARTITION p202605 VALUES LESS THAN ('2026-06-01'),
  PARTITION p202606 VALUES LESS THAN ('2026-07-01'),
  PARTITION p202607 VALUES LESS THAN ('2026-08-01'),
  PARTITION p202608 VALUES LESS THAN ('2026-09-01'),
  PARTITION p202609 VALUES LESS THAN ('2026-10-01'),
  PARTITION p202610 VALUES LESS THAN ('2026-11-01'),
  PARTITION p202611 VALUES LESS THAN ('2026-12-01'),
  PARTITION p202612 VALUES LESS THAN ('2027-01-01'),
  PARTITION after_all VALUES LESS THAN (MAXVALUE)
);

CREATE TRIGGER transaction_id_taken AFTER INSERT ON transactions FOR EACH ROW
  INSERT INTO transaction_ids (transaction_id) VALUES (NEW.transaction_id);

CREATE TRIGGER transaction_id_given_up AFTER DELETE ON transactions FOR EACH ROW
  DELETE FROM transaction_ids WHERE transaction_id = OLD.transaction_id;

-- payout_items also grows with the ledger, but has no date. It is split by vendor, so that it can be
-- rebuilt in parts.
ALTER TABLE payout_items PARTITION BY KEY (vendor_id) PARTITIONS 8;
