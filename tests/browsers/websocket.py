"""As much of the WebSocket protocol (RFC 6455) as a test needs to talk to a browser next to it.

Written out, since a library for these few lines would be one more package to pin and to trust.
"""

from __future__ import annotations

import base64
import os
import socket
import struct

_CONTINUED, _TEXT, _CLOSE, _PING, _PONG = 0, 1, 8, 9, 10


class WebSocket:
    """A connection that sends and receives texts. Raises ``OSError`` when it is lost."""

    def __init__(self, host: str, port: int, path: str, seconds: float) -> None:
        self._socket = socket.create_connection((host, port), timeout=seconds)
        self._stream = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        )
        self._socket.sendall(request.encode())
        status = self._stream.readline()
        if b" 101 " not in status:
            self.close()
            raise OSError(f"no WebSocket there: {status!r}")
        while self._stream.readline() not in (b"\r\n", b""):
            pass

    def send(self, text: str) -> None:
        """Send one text."""
        self._send(_TEXT, text.encode())

    def receive(self) -> str:
        """The next text. Raises ``TimeoutError`` after the seconds given at the start."""
        message = b""
        while True:
            first, second = self._read(2)
            length = second & 127
            if length == 126:
                (length,) = struct.unpack(">H", self._read(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._read(8))
            data = self._read(length)
            kind = first & 15
            if kind == _CLOSE:
                raise OSError("the browser closed the connection")
            if kind == _PING:
                self._send(_PONG, data)
            elif kind in (_TEXT, _CONTINUED):
                message += data
                if first & 128:
                    return message.decode()

    def close(self) -> None:
        """Hang up."""
        self._stream.close()
        self._socket.close()

    def _send(self, kind: int, data: bytes) -> None:
        if len(data) < 126:
            head = struct.pack(">BB", 128 | kind, 128 | len(data))
        elif len(data) < 1 << 16:
            head = struct.pack(">BBH", 128 | kind, 128 | 126, len(data))
        else:
            head = struct.pack(">BBQ", 128 | kind, 128 | 127, len(data))
        # The protocol has a client mask what it sends.
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self._socket.sendall(head + mask + masked)

    def _read(self, count: int) -> bytes:
        data = self._stream.read(count)
        if len(data) < count:
            raise OSError("the connection to the browser is lost")
        return data
