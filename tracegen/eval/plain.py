"""Text that others wrote, made safe to print: no markup, no emoji codes, no control characters."""

import unicodedata

from rich.text import Text


def plain(text: str, style: str = "") -> Text:
    """One line of text as Rich prints it, for a cell or a note: shown as it is, obeyed in nothing.

    Rich reads a string as markup: `[person]` would disappear, and `[/x]` is an error.
    """
    return Text(visible(text).replace("\n", "⏎").replace("\t", " "), style=style)


def visible(text: str) -> str:
    """The text without control characters, which could steer a terminal."""
    return "".join(
        character if character in "\n\t" or unicodedata.category(character) != "Cc" else "�"
        for character in text
    )
