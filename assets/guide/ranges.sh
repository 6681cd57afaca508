. ./client.sh

OVERLAP_DAYS=60
range="start_date=$(date -u -d "-$OVERLAP_DAYS days" +%F)&end_date=$(date -u +%F)"
touch kept.ndjson
: >read.ndjson
page_index=0
while
  page=$(get "/v3.0/transactions?$range&page_size=200&page_index=$page_index") || exit
  printf '%s' "$page" | jq -c '.results[]' >>read.ndjson
  printf '%s' "$page" | jq -e '.meta.pagination.has_more' >/dev/null
do
  page_index=$((page_index + 1))
done
# If two lines have one transaction_id, the later one is kept.
jq -s -c 'INDEX(.transaction_id)[]' kept.ndjson read.ndjson >merged.ndjson
mv merged.ndjson kept.ndjson
jq -sr '"\(length) kept, \(map(select(.refund)) | length) with a refund"' kept.ndjson
