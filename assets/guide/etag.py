from client import get

path = "/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30"
status, headers, kept = get(path)
print(status, kept["meta"]["total_count"])

status, headers, body = get(path, {"If-None-Match": headers["ETag"]})
print(status, (body or kept)["meta"]["total_count"])
