. ./client.sh

touch place.txt
while
  place=$(jq -sRr '@uri' place.txt)
  page=$(get "/v2.0/latest-transactions/$place" -D headers.txt) || exit
  grep -qi '^x-paykey: unknown' headers.txt && echo 'The place is unknown: from the start.' >&2
  printf '%s' "$page" | jq -r '.results[] | "\(.date) \(.transaction_id) \(.price)"'
  printf '%s' "$page" | jq -e '.meta.results_count > 0' >/dev/null
do
  printf '%s' "$page" | jq -j '.results[-1].transaction_id' >place.txt
done
