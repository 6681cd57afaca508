import base64
import json
import os
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

CREDENTIALS = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
MOST_TRIES = 6


def request(path, headers={}):
    """Returns the response, or raises the reason that the service gave."""
    wanted = Request(
        os.environ["BASE_URL"] + path,
        headers={"Authorization": f"Basic {CREDENTIALS}", **headers},
    )
    for tried in range(1, MOST_TRIES + 1):
        try:
            response = urlopen(wanted, timeout=60)
        except HTTPError as answer:  # 304 as well: urllib takes it for an error
            response = answer
        wait = int(response.headers.get("Retry-After", 0))
        if wait == 0 or tried == MOST_TRIES:
            break
        response.close()
        print(f"{response.status}: waiting {wait} s", file=sys.stderr)
        time.sleep(wait)
    if response.status >= 400:
        status = json.load(response)["meta"]["status"]
        raise RuntimeError(f"{status['code']} {status['message']}: {status['detail']}")
    return response


def get(path, headers={}):
    """Returns status, headers and body, with the body as parsed JSON."""
    with request(path, headers) as response:
        text = response.read()
    return response.status, response.headers, json.loads(text) if text else None
