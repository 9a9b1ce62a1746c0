"""Generate synthetic multi-turn conversations with linked PII, and score detectors on them.

The names below are the library's face; what the command line does, they do. They load on first
use, so that `import tracegen` stays fast.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_FACE = {
    "Conversation": "tracegen.model",
    "Decoy": "tracegen.model",
    "Gates": "tracegen.gates",
    "InputError": "tracegen.errors",
    "OutputError": "tracegen.errors",
    "Run": "tracegen.pipeline.generate",
    "Span": "tracegen.model",
    "Spec": "tracegen.pipeline.spec",
    "TracegenError": "tracegen.errors",
    "Turn": "tracegen.model",
    "Vault": "tracegen.gates",
    "generate": "tracegen.pipeline.generate",
    "measure_corpus": "tracegen.corpus",
    "read": "tracegen.corpus",
    "read_spec": "tracegen.pipeline.spec",
    "score": "tracegen.eval",
}

__all__ = ["__version__", *sorted(_FACE)]


def __getattr__(name: str) -> Any:
    if name not in _FACE:
        raise AttributeError(f"module 'tracegen' has no attribute {name!r}")
    return getattr(importlib.import_module(_FACE[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
