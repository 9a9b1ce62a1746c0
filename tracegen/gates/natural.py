"""The natural sentences of a line: what is left for a language check when machine text is gone."""

import regex

from tracegen.gates.layout import BLANK

_MACHINE_LINE = regex.compile(
    r"""\s*(?:
      \[?\d{4}[-/.]\d\d[-/.]\d\d [T\s\d:.,\]]* | \[?\d\d:\d\d(?::\d\d)? | \[\w+\]
    | \w{3}\s+\d+\s\d\d:
    | [{}\[\]<>#$%;@] | // | -- | /\* | \*/ | >>> | \.\.\. | " [\w\ .\-]+ "\s*: | '[\w .\-]+'\s*:
    | Traceback | File\ " | at\ \w+[.(] | (?:import|from|def|class|return|const|let|var|function)\b
    | (?:SELECT|INSERT|UPDATE|CREATE|FROM|WHERE|VALUES)\b
    | [\w\-]+_[\w\-]+\s*[:=]
    | (?:From|To|Cc|Bcc|Subject|Date|Reply-To|Message-ID|Content-Type|Received)\s*:
    )""",
    regex.VERBOSE,
)
_QUOTE = regex.compile(r"^\s*(?:>\s+)+")
_LEVEL = regex.compile(r"\b(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b")
_INLINE_CODE = regex.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_CSV = regex.compile(r"[^\s,;]*(?:[,;]\S[^\s,;]*){2,}")
_PIECE = r"[^\s\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\u3000-\u303F\uFF00-\uFFEF]"
_MACHINE_TOKEN = regex.compile(
    rf"(?<!{_PIECE})(?={_PIECE}*[\d_=/\\{{}}<>()\[\]#@~^{BLANK}]){_PIECE}+"
)
_OUTER_BRACKETS = regex.compile(
    r"(?<!\S)[(\[（「『【«„“\"]+|[)\]）」』】»“”\"]+(?=[.,;:!?]*(?:\s|$))"
)
_SENTENCE_END = regex.compile(r"(?<=[.!?…;:])\s+|(?<=[。！？।؟])\s*|\s[–—|•]\s")
FENCE = regex.compile(r"\s*(?:```|~~~)")


def is_machine_line(line: str) -> bool:
    """Whether a line is a table row, a log entry, code, CSV or a header, none of which is prose."""
    return (
        line.count("|") >= 2
        or line.count("\t") >= 2
        or _MACHINE_LINE.match(_QUOTE.sub("", line)) is not None
        or _LEVEL.search(line) is not None
        or _CSV.fullmatch(line.strip()) is not None
    )


def sentences(line: str) -> list[str]:
    """The sentences of a line, without code, links, numbers and marks; a gap leaves a NUL."""
    line = _QUOTE.sub("", line)
    if "`" in line:
        line = _INLINE_CODE.sub("\x00", line)
    # A word in brackets is a word: only brackets inside a token make it machine text.
    line = _OUTER_BRACKETS.sub(" ", line)
    line = _MACHINE_TOKEN.sub("\x00", line)
    return [piece for piece in _SENTENCE_END.split(line) if piece and piece.strip()]
