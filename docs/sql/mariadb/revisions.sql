-- MySQL and MariaDB: Reads, locks and raises the revisions of ledgers. docs/testing.md describes this file.

-- import
INSERT INTO ledger_revisions (vendor_id, revision)
VALUES (?, ?);

-- POST /ledger/v1/records, import, people erase, and 4 others
INSERT INTO ledger_revisions (vendor_id, revision)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE revision = revision + VALUES(revision);

-- POST /ledger/v1/records, import, people erase, and 2 others
INSERT INTO ledger_revisions (vendor_id, revision, last_arrival, last_sequence)
VALUES (?, ?, ?, ?)
ON DUPLICATE KEY UPDATE last_arrival = last_arrival + VALUES(last_arrival),
  last_sequence = last_sequence + VALUES(last_sequence);

-- POST /ledger/v1/records, PUT /v2.0/recurring_payment/{preKey}, PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, and 6 others
INSERT INTO ledger_revisions (vendor_id, revision, last_sequence)
VALUES (?, ?, ?)
ON DUPLICATE KEY UPDATE last_sequence = last_sequence + VALUES(last_sequence);

-- health and metrics
SELECT CAST(SUM(last_arrival) AS SIGNED)
FROM ledger_revisions;

-- GET /ledger/v1/figures, tracking, verify
SELECT tracked_sequence
FROM ledger_revisions
WHERE vendor_id = ?;

-- people erase, people find, people replay, and 2 others
SELECT vendor_id
FROM ledger_revisions
ORDER BY vendor_id;

-- GET /ledger/v1/affiliates, GET /ledger/v1/changes, GET /ledger/v1/customers, and 27 others
SELECT vendor_id, last_sequence, has_removed
FROM ledger_revisions
WHERE vendor_id IN (?);

-- import, upstreams run
SELECT vendor_id, longest_refund_days
FROM ledger_revisions
WHERE vendor_id IN (?);

-- GET /ledger/v1/figures, GET /ledger/v1/figures/cohorts, GET /ledger/v1/figures/renewals, and 15 others
SELECT vendor_id, revision
FROM ledger_revisions
WHERE vendor_id IN (?);

-- POST /ledger/v1/records, import, people erase, and 5 others
SELECT vendor_id, revision, last_sequence, last_arrival, tracked_sequence, has_removed
FROM ledger_revisions
WHERE vendor_id IN (?)
ORDER BY vendor_id
FOR UPDATE;

-- import, sources remove
UPDATE ledger_revisions
SET has_removed = 1
WHERE vendor_id IN (?) AND has_removed = 0;

-- import, upstreams run
UPDATE ledger_revisions
SET longest_refund_days = ?
WHERE vendor_id = ?;

-- POST /ledger/v1/records, import, people erase, and 3 others
UPDATE ledger_revisions
SET revision = revision + 1
WHERE ((vendor_id = ? AND revision = ? AND last_sequence = ?));

-- POST /ledger/v1/records, import, reading of upstreams, upstreams run
UPDATE ledger_revisions
SET revision = revision + 1
WHERE vendor_id IN (?);

-- import
UPDATE ledger_revisions
SET tracked_sequence = ?
WHERE vendor_id = ?;
