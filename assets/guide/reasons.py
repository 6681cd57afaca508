from pathlib import Path

from client import get

WANTED = ["refunded", "charged_back", "canceled"]
KEYS = {"transaction": "transaction_id", "recurring_payment": "preKey"}
file = Path("reasons.txt")
after = file.read_text() if file.exists() else "0"
has_more = True
while has_more:
    query = f"kinds={','.join(KEYS)}&after={after}&limit=1000"
    status, headers, body = get(f"/ledger/v1/changes?{query}")
    for change in body["results"]:
        kind = change["kind"]
        for reason in change.get("reasons", []):
            if reason in WANTED:
                # Act here, so that it does no harm if the same reason comes twice.
                print(reason, change[kind][KEYS[kind]])
    after, has_more = body["meta"]["cursor"], body["meta"]["has_more"]
    file.write_text(after)
