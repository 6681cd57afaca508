. ./client.sh

range="start_date=2025-06-01&end_date=2025-06-30&page_size=200"
page_index=0
while
  page=$(get "/v3.0/transactions?$range&page_index=$page_index") || exit
  printf '%s' "$page" | jq -r '.results[] | "\(.transaction_id) \(.payouts.seller_earnings)"'
  printf '%s' "$page" | jq -e '.meta.pagination.has_more' >/dev/null
do
  page_index=$((page_index + 1))
done
