import base64
import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

credentials = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
query = "start_date=2025-06-30&end_date=2025-06-01"

request = Request(
    f"{os.environ['BASE_URL']}/v3.0/transactions?{query}",
    headers={"Authorization": f"Basic {credentials}"},
)
try:
    urlopen(request, timeout=60)
except HTTPError as error:
    status = json.load(error)["meta"]["status"]
    print("X-Request-Id:", error.headers["X-Request-Id"])
    print(status["http_status_code"], status["code"], f"{status['message']}: {status['detail']}")
