"""The error browser: one page with the text of every mistake, filters and keys."""

from collections.abc import Sequence
from html import escape

import msgspec

from tracegen.eval.html.shell import shell, source
from tracegen.eval.mistakes import Mistake

_FILTERS = (("kind", "error"), ("label", "label"), ("language", "language"), ("slice", "slice"))


def browser(found: Sequence[Mistake], title: str) -> str:
    """The page that shows these mistakes. It holds text of the corpus."""
    data = msgspec.json.encode([one._asdict() for one in found]).decode()
    data = data.replace("<", "\\u003c")  # a "</script>" in a message must not end the data
    selects = "".join(
        f'<select id="{key}" aria-label="{name}"><option value="">any {name}</option></select>'
        for key, name in _FILTERS
    )
    header = (
        f'<header class="bar"><h1>{escape(title)} <span class="soft small" id="shown"></span></h1>'
        '<p class="warn">This page holds text of the corpus.</p>'
        f'<div class="filters">{selects}<input id="words" type="search" placeholder="id or text" '
        'aria-label="id or text"><span class="soft small"><kbd>j</kbd> next <kbd>k</kbd> back '
        "<kbd>/</kbd> search</span></div></header>"
    )
    body = (
        f'{header}<ul id="list"></ul><script id="data" type="application/json">{data}</script>'
        f"<script>{source('browser.js')}</script>"
    )
    return shell(title, body, styles=("style.css", "browser.css"))
