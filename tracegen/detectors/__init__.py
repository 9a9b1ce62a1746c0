"""Run PII detectors over conversations, whole or through windows.

`detect` runs a named detector over a corpus and writes predictions; `docs/detectors.md` says how
to add one's own.
"""

from tracegen.detectors.journal import Outcome
from tracegen.detectors.protocol import Detector, DetectorFailure, Found, Passage
from tracegen.detectors.registry import Choice, make_detector
from tracegen.detectors.run import Run, detect
from tracegen.detectors.session import Shape
from tracegen.detectors.windows import POLICIES, Policy, Windowing

__all__ = [
    "POLICIES",
    "Choice",
    "Detector",
    "DetectorFailure",
    "Found",
    "Outcome",
    "Passage",
    "Policy",
    "Run",
    "Shape",
    "Windowing",
    "detect",
    "make_detector",
]
