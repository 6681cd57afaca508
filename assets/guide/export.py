import shutil
from pathlib import Path

from client import request

with request("/ledger/v1/transactions.ndjson") as response, open("transactions.ndjson", "wb") as file:
    shutil.copyfileobj(response, file)
cursor = response.headers["X-Ledger-Cursor"]
# Written last: a cursor means that the file is complete.
Path("cursor.txt").write_text(cursor)
print(f"{response.headers['X-Ledger-Count']} transactions, cursor {cursor}")
