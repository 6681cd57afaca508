import base64
import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

CREDENTIALS = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
WANTED = {
    "url": "https://shop.example/hook",
    "reasons": ["refunded", "charged_back", "canceled"],
}
request = Request(
    os.environ["BASE_URL"] + "/ledger/v1/webhooks",
    data=json.dumps(WANTED).encode(),
    headers={"Authorization": f"Basic {CREDENTIALS}", "Content-Type": "application/json"},
)
try:
    endpoint = json.load(urlopen(request, timeout=60))["results"][0]
except HTTPError as answer:
    status = json.load(answer)["meta"]["status"]
    sys.exit(f"{status['code']} {status['message']}: {status['detail']}")
print(endpoint["id"], endpoint["secret"])
