curl -sS -u "$API_KEY:x" \
  "$BASE_URL/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30&page_size=1"
