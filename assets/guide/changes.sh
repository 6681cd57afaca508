. ./client.sh

touch cursor.txt
while
  cursor=$(cat cursor.txt)
  page=$(get "/ledger/v1/changes?after=${cursor:-0}&limit=1000") || exit
  # Store each object under its kind and key here, and replace the older version.
  printf '%s' "$page" | jq -r '.results[] | "\(.kind) \(.[.kind] | tojson)"'
  printf '%s' "$page" | jq -j '.meta.cursor' >cursor.txt
  printf '%s' "$page" | jq -e '.meta.has_more' >/dev/null
do
  :
done
