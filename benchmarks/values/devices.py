"""Networks, devices, secrets and user names: in documentation blocks, right in shape."""

import ipaddress
import re
from urllib.parse import urlsplit

from benchmarks.values.cases import Case
from benchmarks.values.report import Report
from tracegen.values.secret_shapes import secret_facts

_NETWORKS = tuple(
    ipaddress.ip_network(block)
    for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20")
)
_LIVE_PREFIXES = ("sk_live_", "rk_live_", "pk_live_")


def check_ip(case: Case, report: Report) -> None:
    """An address of a documentation block (RFC 5737, 3849, 9637)."""
    address = ipaddress.ip_address(case.default)
    report.tally("an IP address is in a documentation block", case.where,
                 any(address in network for network in _NETWORKS), case.default)  # fmt: skip


def check_mac(case: Case, report: Report) -> None:
    """The documentation block of RFC 9542, or a locally administered unicast address."""
    digits = re.sub(r"[^0-9A-F]", "", case.value.forms["colons"].text)
    local = int(digits[:2], 16) & 3 == 2
    holds = len(digits) == 12 and (local or digits.startswith("00005E0053"))
    report.tally("a MAC address belongs to no maker", case.where, holds, digits)


def check_secret(case: Case, report: Report) -> None:
    """No live prefix, no public host, no password that is a bare word."""
    text = case.default
    live = any(prefix in text for prefix in _LIVE_PREFIXES)
    report.tally("a secret has no live prefix", case.where, not live, text[:12])
    host = urlsplit(text).hostname if "://" in text else None
    if host and case.value.kind in ("connection_string", "access_token", "api_key"):
        reserved = host.endswith(("example.com", "example.org", "example.net")) or _private(host)
        report.tally("a secret's host is reserved or private", case.where, reserved, host)
    if case.value.kind == "password":
        report.tally("a password has eight characters and a digit", case.where,
                     len(text) >= 8 and any(c.isdigit() for c in text), text)  # fmt: skip
    if case.value.kind == "pin":
        holds = text.isdigit() and 4 <= len(text) <= 6
        report.tally("a PIN has four to six digits", case.where, holds, text)


def _private(host: str) -> bool:
    return host in secret_facts().hosts
