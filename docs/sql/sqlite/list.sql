-- SQLite: The list of API 3.0. docs/testing.md describes this file.

-- GET /ledger/v1/transactions.csv, GET /ledger/v1/transactions.ndjson, GET /v3.0/transactions
SELECT 0 AS part, sale_day AS day, sales AS count
FROM sale_counts
WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?
UNION ALL
SELECT 1, sale_day, SUM(refunds + 0e0)
FROM refund_counts
WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND refund_day <= COALESCE(date(?, '+' || (
      SELECT longest_refund_days
      FROM ledger_revisions
      WHERE vendor_id = ?) || ' days'), '9999-12-31') AND sale_day < ?
GROUP BY sale_day
UNION ALL
SELECT 2, NULL, revision
FROM ledger_revisions
WHERE vendor_id = ?;
