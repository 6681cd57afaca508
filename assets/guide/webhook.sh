curl -u "$API_KEY:x" -H 'Content-Type: application/json' \
  -d '{"url":"https://shop.example/hook","reasons":["refunded","charged_back","canceled"]}' \
  "$BASE_URL/ledger/v1/webhooks"
