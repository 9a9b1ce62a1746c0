"""Makers of network addresses, device numbers and coordinates; all from blocks of nobody."""

import ipaddress
from functools import cache
from itertools import accumulate

from tracegen.resources import Facts, read_yaml, room
from tracegen.seeds import Stream
from tracegen.validators import scheme_named
from tracegen.values.identifiers import Maker
from tracegen.values.value import Persona, Value, Written


class _Block(Facts):
    block: str
    weight: float
    source: str


class _Prefix(Facts):
    prefix: str
    weight: float
    source: str


class _Networks(Facts):
    ipv4: tuple[_Block, ...]
    ipv6: tuple[_Block, ...]
    mac: tuple[_Prefix, ...]


class _Device(Facts):
    id: str
    scheme: str | None = None
    mask: str | None = None
    weight: float
    why: str


class _Devices(Facts):
    devices: tuple[_Device, ...]


@cache
def _networks() -> _Networks:
    return read_yaml(_Networks, room("locales") / "common" / "networks.yaml")


@cache
def _devices() -> tuple[_Device, ...]:
    return read_yaml(_Devices, room("locales") / "common" / "devices.yaml").devices


def ip_address(_persona: Persona, stream: Stream) -> Value:
    """An address of a documentation block, one in five of them IPv6."""
    networks = _networks()
    six = stream.chance(0.2)
    blocks = networks.ipv6 if six else networks.ipv4
    chosen = stream.weighted(blocks, list(accumulate(block.weight for block in blocks)))
    network = ipaddress.ip_network(chosen.block)
    if six:
        low = stream.below(2**16) if stream.chance(0.5) else stream.below(2**62)
        host = (stream.below(2**32) << 64) + low + 1
    else:
        host = stream.between(1, 254)
    return Value("ip_address", "plain", {"plain": Written(str(network[host]))})


def mac_address(_persona: Persona, stream: Stream) -> Value:
    """A hardware address of the documentation block or a locally administered one."""
    prefixes = _networks().mac
    prefix = stream.weighted(prefixes, list(accumulate(p.weight for p in prefixes))).prefix
    digits = prefix + stream.mask("^" * (12 - len(prefix))).upper()
    pairs = [digits[i : i + 2] for i in range(0, 12, 2)]
    lower = digits.lower()
    forms = {
        "colons": Written(":".join(pairs)),
        "dashes": Written("-".join(pairs)),
        "dots": Written(".".join(lower[i : i + 4] for i in (0, 4, 8))),
        "lower": Written(":".join(pairs).lower()),
    }
    names = ("colons", "dashes", "dots", "lower")
    return Value("mac_address", stream.weighted(names, (5, 7, 8, 11)), forms)


def device_id(_persona: Persona, stream: Stream) -> Value:
    """An IMEI of a test device, an Android id, a serial number."""
    devices = _devices()
    device = stream.weighted(devices, list(accumulate(d.weight for d in devices)))
    if device.scheme:
        scheme = scheme_named(device.scheme)
        text = scheme.completed(stream.mask(device.mask or scheme.facts.mask))
    else:
        text = stream.mask(device.mask or "")
    return Value("device_id", "plain", {"plain": Written(text)})


_NEAR = (0.002, 0.03)
"""How far from the place's centre, in degrees: some hundred metres to three kilometres."""


def _shift(stream: Stream) -> float:
    low, high = _NEAR
    size = low + stream.random() * (high - low)
    return size if stream.chance(0.5) else -size


def coordinates(persona: Persona, stream: Stream) -> Value:
    """A point near the persona's place, never its centre, so no landmark of a gazetteer."""
    latitude = persona.place.latitude + _shift(stream)
    longitude = persona.place.longitude + _shift(stream)
    places = stream.between(4, 5)
    forms = {
        "decimal": Written(f"{latitude:.{places}f}, {longitude:.{places}f}"),
        "dms": Written(f"{_dms(latitude, 'N', 'S')} {_dms(longitude, 'E', 'W')}"),
        "compact": Written(f"{latitude:.{places}f},{longitude:.{places}f}"),
    }
    default = stream.weighted(("decimal", "dms", "compact"), (6, 8, 10))
    return Value("coordinates", default, forms)


def _dms(degrees: float, positive: str, negative: str) -> str:
    """Degrees, minutes, seconds with one decimal."""
    tenths = round(abs(degrees) * 36000)
    minutes, seconds = divmod(tenths, 600)
    whole, minutes = divmod(minutes, 60)
    hemisphere = positive if degrees >= 0 else negative
    return f"{whole}°{minutes:02d}'{seconds // 10:02d}.{seconds % 10}\"{hemisphere}"


MAKERS: dict[str, Maker] = {
    "ip_address": ip_address,
    "mac_address": mac_address,
    "device_id": device_id,
    "coordinates": coordinates,
}
