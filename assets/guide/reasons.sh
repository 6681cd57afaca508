. ./client.sh

touch reasons.txt
while
  after=$(cat reasons.txt)
  kinds=transaction,recurring_payment
  page=$(get "/ledger/v1/changes?kinds=$kinds&after=${after:-0}&limit=1000") || exit
  # Act on each line, so that it does no harm if the same reason comes twice.
  printf '%s' "$page" | jq -r '.results[] | (.transaction.transaction_id // .recurring_payment.preKey)
    as $key | .reasons[]? | select(IN("refunded", "charged_back", "canceled")) | "\(.) \($key)"'
  printf '%s' "$page" | jq -j '.meta.cursor' >reasons.txt
  printf '%s' "$page" | jq -e '.meta.has_more' >/dev/null
do
  :
done
