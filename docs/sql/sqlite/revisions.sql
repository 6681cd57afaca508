-- SQLite: Reads, locks and raises the revisions of ledgers. docs/testing.md describes this file.

-- POST /ledger/v1/records, import, people erase, and 4 others
INSERT INTO ledger_revisions (vendor_id, revision)
VALUES (?, ?)
ON CONFLICT (vendor_id) DO UPDATE
SET revision = revision + excluded.revision;

-- POST /ledger/v1/records, import, people erase, and 2 others
INSERT INTO ledger_revisions (vendor_id, revision, last_arrival, last_sequence)
VALUES (?, ?, ?, ?)
ON CONFLICT (vendor_id) DO UPDATE
SET last_arrival = last_arrival + excluded.last_arrival,
  last_sequence = last_sequence + excluded.last_sequence;

-- POST /ledger/v1/records, PUT /v2.0/recurring_payment/{preKey}, PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}, and 6 others
INSERT INTO ledger_revisions (vendor_id, revision, last_sequence)
VALUES (?, ?, ?)
ON CONFLICT (vendor_id) DO UPDATE
SET last_sequence = last_sequence + excluded.last_sequence;

-- POST /ledger/v1/records, import, people erase, and 5 others
SELECT vendor_id, revision, last_sequence, last_arrival, tracked_sequence, has_removed
FROM ledger_revisions
WHERE vendor_id IN (?)
ORDER BY vendor_id;
