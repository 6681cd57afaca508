import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

from client import get

OVERLAP = timedelta(days=60)
today = datetime.now(timezone.utc).date()
file = Path("kept.json")
kept = json.loads(file.read_text()) if file.exists() else {}

page_index, has_more = 0, True
while has_more:
    status, headers, body = get(
        f"/v3.0/transactions?start_date={today - OVERLAP}&end_date={today}"
        f"&page_size=200&page_index={page_index}"
    )
    for sale in body["results"]:
        kept[sale["transaction_id"]] = sale
    has_more = body["meta"]["pagination"]["has_more"]
    page_index += 1

file.write_text(json.dumps(kept))
refunded = [sale for sale in kept.values() if sale["refund"]]
print(f"{len(kept)} kept, {len(refunded)} with a refund")
