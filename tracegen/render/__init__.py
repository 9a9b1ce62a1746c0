"""Render templates into messages whose spans are exact."""

from tracegen.render.render import Exchange, Rendered, Setting, render

__all__ = ["Exchange", "Rendered", "Setting", "render"]
