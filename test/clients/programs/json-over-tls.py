# Sends JSON by PUT over TLS with Python's standard library alone, and checks the service's certificate.
#   json-over-tls.py PATH JSON
import base64
import json
import os
import ssl
import sys
import time
import urllib.error
import urllib.request

TRIES = 3
PAUSE_SECONDS = 0.4
credentials = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()
trusted = ssl.create_default_context(cafile=os.environ["API_AUTHORITY"])

path, text = sys.argv[1:]
asked = urllib.request.Request(
    f"{os.environ['API_ADDRESS']}{path}",
    method="PUT",
    data=json.dumps(json.loads(text)).encode(),
    headers={"Authorization": f"Basic {credentials}", "Content-Type": "application/json"},
)
told = []
for _ in range(TRIES):
    try:
        with urllib.request.urlopen(asked, timeout=30, context=trusted) as answer:
            print(json.dumps(json.load(answer)["results"]))
            sys.exit()
    except urllib.error.HTTPError as error:
        told.append(f"{error.code} {error.read().decode()}")
        time.sleep(PAUSE_SECONDS)
sys.exit("\n".join(told))
