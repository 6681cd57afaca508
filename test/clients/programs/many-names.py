# Reads the list of API 3.0 with other services' names for the parameters of a page, in addition to the API's
# own names or, like a first draft, without them.
#   many-names.py own START END    many-names.py others START END
import base64
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TRIES = 3
PAUSE_SECONDS = 0.4
PAGE_SIZE = 40
credentials = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()


def call(query):
    address = f"{os.environ['API_ADDRESS']}/v3.0/transactions?{urllib.parse.urlencode(query)}"
    asked = urllib.request.Request(address, headers={"Authorization": f"Basic {credentials}"})
    told = []
    for _ in range(TRIES):
        try:
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return json.load(answer), answer.headers["X-Ignored-Parameters"]
        except urllib.error.HTTPError as error:
            told.append(f"{error.code} {error.read().decode()}")
            time.sleep(PAUSE_SECONDS)
    sys.exit("\n".join(told))


which, start, end = sys.argv[1:]
sales = {}
ignored = []
has_more = True
page = 0
while has_more:
    query = {"start_date": start, "end_date": end}
    query |= {"page": page + 1, "limit": PAGE_SIZE, "per_page": PAGE_SIZE}
    if which == "own":
        query |= {"page_size": PAGE_SIZE, "page_index": page}
    body, names = call(query)
    ignored.append(names)
    sales |= {sale["transaction_id"]: sale for sale in body["results"]}
    # A request with unknown names alone always gets the same page.
    has_more = which == "own" and body["meta"]["pagination"]["has_more"]
    page += 1
print(json.dumps({"ignored": ignored, "total": body["meta"]["total_count"], "transaction_ids": list(sales)}))
