# Sends the records until the service has answered. Records that are sent twice change nothing.
# curl retries after 429, faults of the service and lost connections, and obeys Retry-After.
answer=$(mktemp)
curl --no-progress-meter --fail-with-body --retry 9 --retry-connrefused --max-time 150 \
  -u "$API_KEY:x" -o "$answer" \
  -H 'Content-Type: application/x-ndjson' --data-binary @sales.ndjson \
  "$BASE_URL/ledger/v1/records"
result=$?
if [ $result -eq 0 ]; then
  jq -r '.results[] | "\(.key) \(.verdict)"' "$answer"
  jq -r '.results[] | select(.verdict == "rejected") | "\(.key): \(.problem)"' "$answer" >&2
  # Correct these records, or send them again once the records that they refer to exist.
  jq -r '.results[] | select(.verdict == "rejected") | .line' "$answer" |
    while read -r line; do sed -n "${line}p" sales.ndjson; done > rejected.ndjson
else
  jq -r '.meta.status | "\(.code) \(.message): \(.detail)"' "$answer" >&2
fi
rm "$answer"
exit $result
