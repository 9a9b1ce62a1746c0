"""Templates: conversations with placeholders, read from the room `templates/` and compiled."""

from tracegen.templates.load import discover, load
from tracegen.templates.model import BALLAST, FAMILIES, Placeholder, Template, Wish

__all__ = [
    "BALLAST",
    "FAMILIES",
    "Placeholder",
    "Template",
    "Wish",
    "discover",
    "load",
]
