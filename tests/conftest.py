"""Fixtures for all tests; no test may reach the network."""

import socket
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection but those inside the machine's own processes."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        local = isinstance(address, tuple) and address[0] in ("127.0.0.1", "::1", "localhost")
        if self.family != socket.AF_UNIX and not local:
            raise AssertionError(f"a test tried to reach the network: {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """An empty templates folder to write into."""
    folder = tmp_path / "templates"
    folder.mkdir()
    return folder
