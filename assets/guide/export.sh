. ./client.sh

get /ledger/v1/transactions.ndjson -D headers.txt >transactions.ndjson || exit
# Written last: a cursor means that the file is complete.
tr -d '\r' <headers.txt | awk 'tolower($1) == "x-ledger-cursor:" { printf "%s", $2 }' >cursor.txt
echo "$(wc -l <transactions.ndjson) transactions, cursor $(cat cursor.txt)"
