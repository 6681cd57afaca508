import base64
import json
import os
import random
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

CREDENTIALS = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
BATCH, MOST_TRIES, LONGEST_WAIT = 1000, 10, 60


def send(records):
    """Sends records until the service has answered. Records that are sent twice change nothing."""
    request = Request(
        os.environ["BASE_URL"] + "/ledger/v1/records",
        data="\n".join(records).encode(),
        headers={
            "Authorization": f"Basic {CREDENTIALS}",
            "Content-Type": "application/x-ndjson",
        },
    )
    for tried in range(1, MOST_TRIES + 1):
        wait = min(LONGEST_WAIT, 2**tried) * random.uniform(0.5, 1)
        is_final = tried == MOST_TRIES
        try:
            return json.load(urlopen(request, timeout=150))["results"]
        except HTTPError as answer:
            status = json.load(answer)["meta"]["status"]
            reason = f"{status['code']} {status['message']}: {status['detail']}"
            # Any other error would occur again.
            is_final = is_final or (answer.code != 429 and answer.code < 500)
            wait = float(answer.headers.get("Retry-After", wait))
        except (OSError, ValueError) as error:
            reason = str(error)
        if is_final:
            raise RuntimeError(reason)
        print(f"{reason}; trying again in {wait:.0f} s", file=sys.stderr)
        time.sleep(wait)


with open("sales.ndjson", encoding="utf-8") as file:
    records = [line.rstrip("\n") for line in file if line.strip()]
# Correct these records, or send them again once the records that they refer to exist.
with open("rejected.ndjson", "w", encoding="utf-8") as rejected:
    for at in range(0, len(records), BATCH):
        batch = records[at : at + BATCH]
        for result in send(batch):
            print(result["key"], result["verdict"])
            if result["verdict"] == "rejected":
                print(f"{result['key']}: {result['problem']}", file=sys.stderr)
                print(batch[result["line"] - 1], file=rejected)
