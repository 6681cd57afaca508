. ./client.sh

query='min_amount=40&start_date=2025-06-01&end_date=2025-06-30&limit=100'
after=''
while
  page=$(get "/ledger/v1/transactions?$query$after") || exit
  # A page may be empty and have a next one: see meta.searched_to.
  printf '%s' "$page" | jq -r '.results[] | "\(.transaction_id) \(.amount)"'
  cursor=$(printf '%s' "$page" | jq -r '.meta.next_cursor // empty')
  after="&after=$cursor"
  [ -n "$cursor" ]
do
  :
done
