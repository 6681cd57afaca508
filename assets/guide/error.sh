# -D shows the headers: X-Request-Id names the call in the log of the service.
curl -sS -u "$API_KEY:x" -D - -o error.json \
  "$BASE_URL/v3.0/transactions?start_date=2025-06-30&end_date=2025-06-01" | grep -i '^x-request-id'
jq -r '.meta.status | "\(.http_status_code) \(.code) \(.message): \(.detail)"' error.json
