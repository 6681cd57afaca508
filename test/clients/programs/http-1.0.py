# Speaks HTTP/1.0 over a socket of its own, and never keeps a connection: it reads until the service closes
# it, and cuts the body off after the number of bytes in Content-Length.
#   http-1.0.py PATH...
import base64
import json
import os
import socket
import sys
import time
import urllib.parse

TRIES = 3
PAUSE_SECONDS = 0.4
SILENCE_SECONDS = 30
address = urllib.parse.urlsplit(os.environ["API_ADDRESS"])
credentials = base64.b64encode(f"{os.environ['API_KEY']}:x".encode()).decode()


def exchange(path):
    request = f"GET {path} HTTP/1.0\r\nHost: {address.hostname}\r\nAuthorization: Basic {credentials}\r\n\r\n"
    with socket.create_connection((address.hostname, address.port), SILENCE_SECONDS) as connection:
        connection.sendall(request.encode())
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
    head, _, rest = answer.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    body = rest[: int(headers["content-length"])]
    return int(status_line.split(" ")[1]), headers, body, len(rest) - len(body)


def call(path):
    told = []
    for _ in range(TRIES):
        status, headers, body, left = exchange(path)
        if 200 <= status < 300:
            return {"headers": headers, "body": json.loads(body), "bytes": len(body), "left": left}
        told.append(f"{status} {body.decode()}")
        time.sleep(PAUSE_SECONDS)
    sys.exit("\n".join(told))


print(json.dumps([call(path) for path in sys.argv[1:]]))
