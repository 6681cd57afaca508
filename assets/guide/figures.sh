. ./client.sh

figures='measures=sales,gross,refund_rate&group_by=product&interval=month'
get "/ledger/v1/figures?$figures&start_date=2025-06-01&end_date=2025-06-30" |
  jq -r '.results[] | "\(.interval.start_date) \(.group.id) \(.measures.sales) \(.measures.gross)"'
