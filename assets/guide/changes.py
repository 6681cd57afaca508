import json
from pathlib import Path

from client import get

file = Path("cursor.txt")
cursor = file.read_text() if file.exists() else "0"
has_more = True
while has_more:
    status, headers, body = get(f"/ledger/v1/changes?after={cursor}&limit=1000")
    for change in body["results"]:
        kind = change["kind"]
        # Store it under its kind and key here, and replace the older version.
        print(kind, json.dumps(change[kind]))
    cursor, has_more = body["meta"]["cursor"], body["meta"]["has_more"]
    file.write_text(cursor)
