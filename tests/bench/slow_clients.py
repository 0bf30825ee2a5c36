"""Holds sockets that are as slow as a phone in a tunnel, or as an attacker, and says each second how many are open.

`slow_clients.py body|reader PORT COUNT PATH`: bodies come by a few bytes every five seconds, readers ask for a page and
take almost nothing of it. What the server cuts off is opened again.
"""

import selectors
import socket
import sys
import time

kind, port, count, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
HOST = f"Host: 127.0.0.1:{port}\r\n"
BODY = f"POST {path} HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nContent-Length: 8192\r\n\r\n"
# Several at once: one page may fit into the buffers of the kernel.
PAGES = f"GET {path} HTTP/1.1\r\n{HOST}Accept: text/html\r\n\r\n" * 8
PAUSE = 5
OPENED_AT_ONCE = 25

waiting = selectors.DefaultSelector()
held = {}


def open_one():
    one = socket.socket()
    if kind == "reader":
        # A small window, and segments as they are outside of a loopback: else the kernel takes the whole page.
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1400)
    one.connect(("127.0.0.1", port))
    one.setblocking(False)
    one.sendall((BODY if kind == "body" else PAGES).encode())
    held[one] = time.monotonic() + PAUSE
    if kind == "body":
        waiting.register(one, selectors.EVENT_READ)


def close(one):
    if kind == "body":
        waiting.unregister(one)
    del held[one]
    one.close()


def move(one):
    """A few bytes; False when the server has had enough."""
    try:
        if kind == "body":
            return one.send(b" " * 16) > 0
        return len(one.recv(32)) > 0
    except BlockingIOError:
        return True
    except OSError:
        return False


told = 0.0
while True:
    now = time.monotonic()
    for _ in range(min(OPENED_AT_ONCE, count - len(held))):
        open_one()
    # A server that waits for a body says 408 and closes.
    for key, _ in waiting.select(0.05) if kind == "body" else []:
        close(key.fileobj)
    for one in [one for one, due in held.items() if due <= now]:
        held[one] = now + PAUSE
        if not move(one):
            close(one)
    if now - told >= 1:
        told = now
        print(len(held), flush=True)
    if kind == "reader":
        time.sleep(0.05)
