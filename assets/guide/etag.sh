# The second time, curl sends the ETag that it kept: 304, and page.json stays as it is.
for time in first second; do
  curl -sS --fail-with-body --retry 5 -u "$API_KEY:x" -o page.json -w '%{http_code} ' \
    --etag-compare page.etag --etag-save page.etag \
    "$BASE_URL/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30"
  jq .meta.total_count page.json
done
