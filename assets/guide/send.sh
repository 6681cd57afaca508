# Sends the records until the service has answered. Sent twice, they change nothing.
# curl tries again after 429, faults of the service and lost connections; it obeys Retry-After.
answer=$(mktemp)
curl --no-progress-meter --fail-with-body --retry 9 --retry-connrefused --max-time 150 \
  -u "$API_KEY:x" -o "$answer" \
  -H 'Content-Type: application/x-ndjson' --data-binary @sales.ndjson \
  "$BASE_URL/ledger/v1/records"
result=$?
if [ $result -eq 0 ]; then
  jq -r '.results[] | "\(.key) \(.verdict)"' "$answer"
  jq -r '.results[] | select(.verdict == "rejected") | "\(.key): \(.problem)"' "$answer" >&2
  # Correct these, or send them again once what they refer to is there.
  jq -r '.results[] | select(.verdict == "rejected") | .line' "$answer" |
    while read -r line; do sed -n "${line}p" sales.ndjson; done > rejected.ndjson
else
  jq -r '.meta.status | "\(.code) \(.message): \(.detail)"' "$answer" >&2
fi
rm "$answer"
exit $result
