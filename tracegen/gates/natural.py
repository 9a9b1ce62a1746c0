"""The natural sentences of a line: what is left for a language check when machine text is gone."""

import re

from tracegen.gates.layout import BLANK

_MACHINE_LINE = re.compile(
    r"""\s*(?:
      \[?\d{4}[-/.]\d\d[-/.]\d\d [T\s\d:.,\]]* | \[?\d\d:\d\d(?::\d\d)? | \[\w+\]
    | \w{3}\s+\d+\s\d\d:
    | [{}\[\]<>#$%;@] | // | -- | /\* | \*/ | >>> | \.\.\. | " [\w\ .\-]+ "\s*: | '[\w .\-]+'\s*:
    | Traceback | File\ " | at\ \w+[.(] | (?:import|from|def|class|return|const|let|var|function)\b
    | (?:SELECT|INSERT|UPDATE|CREATE|FROM|WHERE|VALUES)\b
    | [\w\-]{1,60}_[\w\-]{1,60}\s*[:=]
    | (?:From|To|Cc|Bcc|Subject|Date|Reply-To|Message-ID|Content-Type|Received)\s*:
    )""",
    re.VERBOSE,
)
_QUOTE = re.compile(r"^\s*(?:>\s+)+")
_LEVEL = re.compile(r"\b(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b")
_INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_CSV = re.compile(r"[^\s,;]*(?:[,;]\S[^\s,;]*){2,}")
_MACHINE = re.compile(rf"[\d_=/\\{{}}<>()\[\]#@~^{BLANK}]")
# Han, kana and Thai have no spaces: what stands beside them is a token of its own.
_TOKEN = re.compile(r"[^\s\u0E00-\u0E7F\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]+")
_OUTER_BRACKETS = re.compile(r"(?<!\S)[(\[（「『【«„“\"]+|[)\]）」』】»“”\"]+(?=[.,;:!?]*(?:\s|$))")
_SENTENCE_END = re.compile(r"(?<=[.!?…;:])\s+|(?<=[。！？।؟])\s*|\s[–—|•]\s")
FENCE = re.compile(r"\s*(?:```|~~~)")


def is_machine_line(line: str) -> bool:
    """Whether a line is a table row, a log entry, code, CSV or a header, none of which is prose."""
    return (
        line.count("|") >= 2
        or line.count("\t") >= 2
        or _MACHINE_LINE.match(_QUOTE.sub("", line) if ">" in line else line) is not None
        or _LEVEL.search(line) is not None
        or _CSV.fullmatch(line.strip()) is not None
    )


def _gap(token: re.Match[str]) -> str:
    text = token.group()
    return "\x00" if _MACHINE.search(text) else text


def sentences(line: str) -> list[str]:
    """The sentences of a line, without code, links, numbers and marks; a gap leaves a NUL."""
    if ">" in line:
        line = _QUOTE.sub("", line)
    if "`" in line:
        line = _INLINE_CODE.sub("\x00", line)
    # A word in brackets is a word: only brackets inside a token make it machine text.
    line = _OUTER_BRACKETS.sub(" ", line)
    if _MACHINE.search(line):
        line = _TOKEN.sub(_gap, line)
    return [piece for piece in _SENTENCE_END.split(line) if piece and piece.strip()]
