# The second time, curl sends the stored ETag. The answer is 304, and page.json is unchanged.
for time in first second; do
  curl -sS --fail-with-body --retry 5 -u "$API_KEY:x" -o page.json -w '%{http_code} ' \
    --etag-compare page.etag --etag-save page.etag \
    "$BASE_URL/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30"
  jq .meta.total_count page.json
done
