#!/bin/bash
# Creates the database and its two users. The images of MySQL and MariaDB run it once, when they find no
# data. They run it in a separate shell, or within their own, whose state must not change.
(
  : "${MYSQL_ROOT_PASSWORD:?}" "${DATABASE_OWNER_PASSWORD:?}" "${DATABASE_SERVICE_PASSWORD:?}"
  client=$(command -v mariadb || command -v mysql)
  root=$(printf '[client]\nuser=root\npassword="%s"\n' "$MYSQL_ROOT_PASSWORD")
  "$client" --defaults-extra-file=<(echo "$root") --protocol=socket <<SQL
CREATE DATABASE vendor_reporting CHARACTER SET utf8mb4;
CREATE USER vr_owner@'%' IDENTIFIED BY '$DATABASE_OWNER_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON vendor_reporting.* TO vr_owner@'%';
CREATE USER vr_service@'%' IDENTIFIED BY '$DATABASE_SERVICE_PASSWORD';
GRANT SELECT, INSERT, UPDATE, DELETE ON vendor_reporting.* TO vr_service@'%';
SQL
)
