from client import get

query = "min_amount=40&start_date=2025-06-01&end_date=2025-06-30&limit=100"
after = ""
while after is not None:
    status, headers, body = get(f"/ledger/v1/transactions?{query}{after}")
    # A page may be empty and have a next one: see meta.searched_to.
    for sale in body["results"]:
        print(sale["transaction_id"], sale["amount"])
    cursor = body["meta"]["next_cursor"]
    after = f"&after={cursor}" if cursor else None
