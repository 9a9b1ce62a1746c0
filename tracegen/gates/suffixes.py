"""The public suffix list of the installed tldextract: no network, no cache in the home folder."""

from functools import cache, lru_cache
from typing import Any

from tracegen.gates import rules


@cache
def offline_extractor() -> Any:
    """An extractor that reads the bundled snapshot only, set as tldextract's own default too.

    Presidio's e-mail recognizer calls `tldextract.extract`, which would otherwise fetch a list.
    """
    import tldextract
    from tldextract import tldextract as inner

    extractor = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    inner.TLD_EXTRACTOR = extractor
    setattr(tldextract, "extract", extractor.__call__)  # noqa: B010 (its type is private)
    return extractor


@lru_cache(maxsize=65536)
def is_known_host(host: str) -> bool:
    """Whether a host name ends in a public suffix or in a name reserved for examples."""
    if host.rpartition(".")[2].lower() in rules.hosts().reserved_tlds:
        return True
    found = offline_extractor()(host)
    return bool(found.suffix and found.domain)
