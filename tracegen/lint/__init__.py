"""Checks on what people write: templates, locale packs and identifier schemes."""

from tracegen.lint.coverage import Coverage
from tracegen.lint.findings import Finding
from tracegen.lint.packs import lint_pack, lint_schemes
from tracegen.lint.templates import Linter, lint_paths

__all__ = ["Coverage", "Finding", "Linter", "lint_pack", "lint_paths", "lint_schemes"]
