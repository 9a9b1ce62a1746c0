"""What a pattern's match must pass before it counts: checksums, hosts, address ranges.

A check takes the match and says which part of it is a hit, as offsets, or None.
"""

import ipaddress
from collections.abc import Callable, Sequence

import regex

from tracegen.checksums import check_characters, luhn, mod97
from tracegen.gates import rules
from tracegen.gates.suffixes import is_known_host

Part = tuple[int, int] | None
Match = "regex.Match[str]"


def _whole(match: "regex.Match[str]", good: bool) -> Part:
    return match.span() if good else None


def mail_host(match: "regex.Match[str]") -> Part:
    """An address whose host ends in a public suffix or a reserved name, and is no repository."""
    local, _, host = match.group().rpartition("@")
    repository = local == "git" and match.string[match.end() : match.end() + 1] in {":", "/"}
    return _whole(match, not repository and is_known_host(host))


def public_host(match: "regex.Match[str]") -> Part:
    """A link to a host that somebody could own, without the punctuation after it."""
    link = match.group().rstrip(".,;:!?*_~")
    rest = link.partition("://")[2] or link
    host = regex.split(r"[/:?#]", rest.rpartition("@")[2] if "@" in rest.split("/")[0] else rest)[0]
    facts = rules.hosts()
    host = host.lower().rstrip(".")
    bare = host.removeprefix("www.")
    reserved = (
        host in facts.technical
        or any(bare == name or bare.endswith("." + name) for name in facts.reserved_domains)
        or bare.rpartition(".")[2] in facts.reserved_tlds
    )
    if reserved:
        return None
    somebodys = _is_public(host) if regex.fullmatch(r"[\d.]+", host) else is_known_host(host)
    return (match.start(), match.start() + len(link)) if somebodys else None


def iban(match: "regex.Match[str]") -> Part:
    """As many characters as the country's IBAN has, with a true check."""
    text, start = match.string, match.start()
    length = rules.shapes().iban_lengths.get(match.group()[:2].upper())
    if length is None:
        return None
    compact, end = "", start
    while end < match.end() and len(compact) < length:
        if text[end] not in " -":
            compact += text[end].upper()
        end += 1
    if len(compact) < length or (end < len(text) and text[end].isalnum() and text[end].isascii()):
        return None
    return (start, end) if mod97(compact[4:] + compact[:2])[0] == compact[2:4] else None


_GROUPINGS = ([4, 4, 4, 4], [4, 4, 4, 4, 3], [4, 6, 5], [4, 6, 4], [4, 4, 4, 1])


def _is_card(number: str) -> bool:
    brands = rules.shapes().card_brands
    known = any(
        len(number) in brand.lengths and brand.low <= number[: len(brand.low)] <= brand.high
        for brand in brands
    )
    return known and luhn(number[:-1])[0] == number[-1]


def card(match: "regex.Match[str]") -> Part:
    """A run of groups inside the digits that is a card number in a usual grouping."""
    groups = list(regex.finditer(r"\d+", match.group()))
    lengths = [len(group.group()) for group in groups]
    for first in range(len(groups)):
        for count in (1, 3, 4, 5):
            part = lengths[first : first + count]
            if len(part) < count or (count > 1 and part not in _GROUPINGS):
                continue
            chosen = groups[first : first + count]
            if _is_card("".join(group.group() for group in chosen)):
                return match.start() + chosen[0].start(), match.start() + chosen[-1].end()
    return None


def real_mac(match: "regex.Match[str]") -> Part:
    """A hardware address that is not all zeros or all ones."""
    digits = set(regex.sub(r"[^0-9a-f]", "", match.group().lower()))
    return _whole(match, digits not in ({"0"}, {"f"}))


def _is_public(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.version == 6:
        return address.is_global and address in ipaddress.ip_network("2000::/3")
    return address.is_global and not address.is_multicast


def public_ip(match: "regex.Match[str]") -> Part:
    """An address outside the ranges that registries keep from the public network."""
    return _whole(match, _is_public(match.group()))


CHECKS: dict[str, Callable[["regex.Match[str]"], Part]] = {
    "mail_host": mail_host,
    "public_host": public_host,
    "iban": iban,
    "card": card,
    "real_mac": real_mac,
    "public_ip": public_ip,
}


def passes(match: "regex.Match[str]", checks: Sequence[rules.Check]) -> bool:
    """Whether all check digits of a national number fit."""
    for check in checks:
        payload = "".join(match.group(name) for name in check.payload)
        payload = payload.replace(" ", "").replace("-", "").upper()
        wanted = match.group(check.check).upper()
        if wanted not in check_characters(check.algorithm, payload, check.parameters):
            return False
    return True
