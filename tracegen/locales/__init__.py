"""Locale packs: read, check, serve."""
