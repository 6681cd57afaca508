from client import get

page_index, has_more = 0, True
while has_more:
    status, headers, body = get(
        "/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30"
        f"&page_size=200&page_index={page_index}"
    )
    for sale in body["results"]:
        print(sale["transaction_id"], sale["payouts"]["seller_earnings"])
    has_more = body["meta"]["pagination"]["has_more"]
    page_index += 1
