"""E-mail, links and user names: reserved hosts only, derived from the name."""

import re
import unicodedata
from urllib.parse import urlsplit

from benchmarks.values.cases import Case
from benchmarks.values.report import Report
from benchmarks.values.text import words

RESEMBLES = "an e-mail's local part derives from the name"
_RESERVED = re.compile(r"(?:[a-z0-9-]+\.)*example\.(?:com|org|net)")
_BRANDS = words(
    "gmail googlemail google yahoo hotmail outlook msn icloud apple aol gmx webde web tonline "
    "freenet proton protonmail yandex mailru rambler naver daum hanmail kakao qq 163 126 sina "
    "weibo wechat alipay baidu tencent aliyun docomo ezweb softbank rakuten rediff walla "
    "wanadoo laposte libero virgilio tiscali btinternet facebook instagram twitter tiktok "
    "telegram whatsapp amazon paypal netflix microsoft github gitlab linkedin ebay samsung "
    "huawei xiaomi sony toyota bmw siemens vodafone telekom "
)


def check_email(case: Case, report: Report) -> None:
    """Reserved host; the local part resembles the name in four of five."""
    report.allowed[RESEMBLES] = 0.2
    for name, form in case.value.forms.items():
        if name != "masked":
            host = form.text.rpartition("@")[2]
            _check_host(case, host, report)
    local = case.value.forms["plain"].text.partition("@")[0]
    report.tally(RESEMBLES, case.where, _resembles(local, case), local)


def check_url(case: Case, report: Report) -> None:
    """Reserved host, a scheme or none, a path."""
    for name, form in case.value.forms.items():
        text = form.text if "//" in form.text else f"https://{form.text}"
        parts = urlsplit(text)
        if name != "masked":
            _check_host(case, parts.netloc, report)
            whole = parts.scheme == "https" and len(parts.path) > 1 and " " not in text
            report.tally("a link has a path and no gap", case.where, whole, form.text)


def _check_host(case: Case, host: str, report: Report) -> None:
    report.tally("a host is reserved by RFC 2606", case.where,
                 bool(_RESERVED.fullmatch(host)), host)  # fmt: skip
    labels = set(host.lower().replace("-", "").split("."))
    report.tally("a host names no mail provider or brand", case.where,
                 not labels & _BRANDS, host)  # fmt: skip


def _resembles(local: str, case: Case) -> bool:
    """Whether the given or family name, or initial and name, can be read in the local part."""
    letters = _letters(local)
    given, family = _letters(case.persona.given.latin), _letters(case.persona.family.latin)
    if given in letters and (len(given) > 2 or letters.startswith(given)):
        return True
    return family in letters and (len(family) > 2 or letters.startswith((family, given[0])))


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in plain if "a" <= c <= "z")
