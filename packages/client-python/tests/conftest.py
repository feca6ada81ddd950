"""A server on loopback that answers as a test tells it to: real HTTP, real sockets, scripted responses."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Respond = Callable[[BaseHTTPRequestHandler], None]
RECEIPT = {"x-request-id": "req_1", "x-credits-charged": "0", "x-credits-remaining": "41"}


class Loopback:
    """Gives the responses one after the other, and the last one from then on."""

    def __init__(self, *responds: Respond) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                loopback.requests.append((self.command, self.path, headers, body))
                responds[min(len(loopback.requests), len(responds)) - 1](self)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that left is part of these tests."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        # How often it looks whether it is to end. Otherwise each test would end with half a second of waiting.
        looking = {"poll_interval": 0.01}
        threading.Thread(target=self._server.serve_forever, kwargs=looking, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def loopback(*responds: Respond) -> Iterator[Loopback]:
    server = Loopback(*responds)
    try:
        yield server
    finally:
        server.close()


def reply(status: int, body: Any, headers: dict[str, str] | None = None) -> Respond:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    def respond(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        named = {"content-type": "application/json", **RECEIPT, **(headers or {})}
        for name, value in {**named, "content-length": str(len(content))}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(content)

    return respond


def success(data: Any = None, **meta: Any) -> Respond:
    return reply(200, {"data": {} if data is None else data, "meta": meta, "request_id": "req_1"})


def refusal(status: int, code: str, headers: dict[str, str] | None = None, details: Any = None) -> Respond:
    error = {"code": code, "message": "It was refused.", "doc_url": f"/docs/errors#{code}", "request_id": "req_1"}
    return reply(status, {"error": {**error, **({"details": details} if details else {})}}, headers)


def hang_up(request: BaseHTTPRequestHandler) -> None:
    """The connection breaks before a byte of a response."""
    request.close_connection = True
    request.connection.close()


def break_off(request: BaseHTTPRequestHandler) -> None:
    """The connection breaks in the middle of the body."""
    request.send_response(200)
    request.send_header("content-type", "application/json")
    request.send_header("content-length", "1000")
    request.end_headers()
    request.wfile.write(b'{"data":{')
    request.wfile.flush()
    request.close_connection = True


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits of retries, which take no time in the test, with the longest jitter there is."""
    noted: list[float] = []

    async def sleep(seconds: float) -> None:
        noted.append(seconds)

    monkeypatch.setattr("lotline._async.core.anyio.sleep", sleep)
    monkeypatch.setattr("lotline._sync.core.time.sleep", noted.append)
    monkeypatch.setattr("lotline._async.core.random", lambda: 1.0)
    monkeypatch.setattr("lotline._sync.core.random", lambda: 1.0)
    return noted
