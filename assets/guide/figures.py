from client import get

figures = "measures=sales,gross,refund_rate&group_by=product&interval=month"
dates = "start_date=2025-06-01&end_date=2025-06-30"
_, _, body = get(f"/ledger/v1/figures?{figures}&{dates}")
for item in body["results"]:
    measures = item["measures"]
    print(item["interval"]["start_date"], item["group"]["id"], measures["sales"], measures["gross"])
