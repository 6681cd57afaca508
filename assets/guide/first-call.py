import base64
import json
import os
from urllib.request import Request, urlopen

credentials = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
query = "start_date=2025-06-01&end_date=2025-06-30&page_size=1"

request = Request(
    f"{os.environ['BASE_URL']}/v3.0/transactions?{query}",
    headers={"Authorization": f"Basic {credentials}"},
)
with urlopen(request, timeout=60) as response:
    answer = json.load(response)
print(answer["meta"]["total_count"], "transactions")
for sale in answer["results"]:
    print(sale["sale_date"], sale["transaction_id"], sale["amount"])
