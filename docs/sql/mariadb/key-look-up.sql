-- MySQL and MariaDB: Finds the user and the application of an API key. docs/testing.md describes this file.

-- each request with a key
SELECT k.key_hash, a.user_id, a.id AS application_id, a.access, u.status AS user_status,
  k.expires AS key_expires, a.expires AS application_expires, a.address_allow_list, a.limits,
  a.mcp_writes
FROM api_keys k
JOIN api_applications a ON a.id = k.application_id
LEFT JOIN users u ON u.id = a.user_id
WHERE k.key_hash = ? AND a.state = 'active' AND (u.id IS NOT NULL OR (a.user_id = 0
  AND a.access = 'source')) AND (k.expires IS NULL OR k.expires > ?) AND (a.expires IS NULL
  OR a.expires > ?);

-- each request with a key
UPDATE api_keys
SET last_used = ?
WHERE ((key_hash = ? AND last_used IS NULL) OR (key_hash = ? AND last_used < ?));
