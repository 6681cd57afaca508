import shutil
from pathlib import Path

from client import request

with request("/ledger/v1/transactions.ndjson") as response, open("transactions.ndjson", "wb") as file:
    shutil.copyfileobj(response, file)
cursor, count = response.headers["X-Ledger-Cursor"], int(response.headers["X-Ledger-Count"])
with open("transactions.ndjson", "rb") as file:
    lines = sum(1 for _ in file)
# Some proxies hide that an export was cut off.
if lines != count:
    raise SystemExit(f"{lines} of {count} transactions: run it again")
# The cursor is written last, so it shows that the file is complete.
Path("cursor.txt").write_text(cursor)
print(f"{count} transactions, cursor {cursor}")
