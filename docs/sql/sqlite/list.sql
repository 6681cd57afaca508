-- SQLite: The list of API 3.0. docs/testing.md describes this file.

-- GET /ledger/v1/transactions.csv, GET /ledger/v1/transactions.ndjson, GET /v3.0/transactions
SELECT NULL AS day, revision AS count
FROM ledger_revisions
WHERE vendor_id = ?
UNION ALL
SELECT sale_day, SUM(refunds + 0e0)
FROM ledger_revisions l
JOIN refund_counts r ON r.vendor_id = l.vendor_id
WHERE l.vendor_id = ? AND r.vendor_id = ? AND refund_day BETWEEN ? AND ?
  AND refund_day <= COALESCE(date(?, '+' || l.longest_refund_days || ' days'), '9999-12-31')
  AND sale_day < ?
GROUP BY sale_day;

-- GET /ledger/v1/transactions.csv, GET /ledger/v1/transactions.ndjson, GET /v3.0/transactions
SELECT NULL AS day, revision AS count, (
  SELECT SUM(refunds + 0e0)
  FROM refund_counts
  WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND refund_day <= COALESCE(date(?,
    '+' || l.longest_refund_days || ' days'), '9999-12-31') AND sale_day < ?) AS refunds
FROM ledger_revisions l
WHERE vendor_id = ?
UNION ALL
SELECT sale_day, sales, NULL
FROM sale_counts
WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?;
