import base64
import json
import os
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

CREDENTIALS = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
MOST_TRIES = 6


def get(path, headers={}):
    """Returns status, headers and body, or raises the reason that the service gave."""
    request = Request(
        os.environ["BASE_URL"] + path,
        headers={"Authorization": f"Basic {CREDENTIALS}", **headers},
    )
    for tried in range(1, MOST_TRIES + 1):
        try:
            response = urlopen(request, timeout=60)
        except HTTPError as answer:  # 304 as well: urllib takes it for an error
            response = answer
        text = response.read()
        wait = int(response.headers.get("Retry-After", 0))
        if wait == 0 or tried == MOST_TRIES:
            break
        print(f"{response.status}: waiting {wait} s", file=sys.stderr)
        time.sleep(wait)
    body = json.loads(text) if text else None
    if response.status >= 400:
        status = body["meta"]["status"]
        raise RuntimeError(f"{status['code']} {status['message']}: {status['detail']}")
    return response.status, response.headers, body
