"""Generate synthetic multi-turn conversations with linked PII, and score detectors on them."""

__version__ = "0.1.0"
