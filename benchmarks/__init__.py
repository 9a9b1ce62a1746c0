"""Measurements and large checks; each is a command, none is part of the package."""
