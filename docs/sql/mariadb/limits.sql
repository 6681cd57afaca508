-- MySQL and MariaDB: The limits of applications; requests are counted outside the database. docs/testing.md describes this file.

-- import, keys access, keys allow, and 6 others
SELECT ApiApplication.id AS ApiApplication_id, ApiApplication.user_id AS ApiApplication_user_id,
  ApiApplication.name AS ApiApplication_name, ApiApplication.state AS ApiApplication_state,
  ApiApplication.created AS ApiApplication_created,
  ApiApplication.expires AS ApiApplication_expires,
  ApiApplication.address_allow_list AS ApiApplication_address_allow_list,
  ApiApplication.limits AS ApiApplication_limits,
  ApiApplication.last_shown AS ApiApplication_last_shown,
  ApiApplication.access AS ApiApplication_access,
  ApiApplication.mcp_writes AS ApiApplication_mcp_writes
FROM api_applications ApiApplication
WHERE ((ApiApplication.id = ?))
FOR UPDATE;

-- limits show
SELECT a.id, a.user_id, a.name, a.state, a.access, a.created, a.expires, a.address_allow_list,
  a.limits, a.mcp_writes, (
  SELECT MAX(k.last_used)
  FROM api_keys k
  WHERE k.application_id = a.id) AS last_used, (
  SELECT MAX(k.expires)
  FROM api_keys k
  WHERE k.application_id = a.id) AS last_end
FROM api_applications a
WHERE a.id = ?
ORDER BY a.id ASC;

-- limits clear, limits set
UPDATE api_applications
SET limits = ?
WHERE id = ?;
