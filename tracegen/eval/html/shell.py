"""What every page stands in: one file that needs nothing from outside."""

from html import escape
from pathlib import Path

_FOLDER = Path(__file__).parent


def shell(title: str, body: str, *, styles: tuple[str, ...] = ("style.css",)) -> str:
    """A whole page.

    Args:
        title: its title, not yet escaped.
        body: ready HTML.
        styles: style sheets of this folder, in order.
    """
    style = "".join(source(name) for name in styles)
    return (
        "<!doctype html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head><body>{body}</body></html>\n"
    )


def source(name: str) -> str:
    """A style sheet or script of this folder."""
    return (_FOLDER / name).read_text("utf-8")
