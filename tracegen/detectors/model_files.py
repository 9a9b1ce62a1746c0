"""Which files a model was read from, so that a changed one is not taken for the same."""

from collections.abc import Sequence
from pathlib import Path

from tracegen.datafiles import files_sha256


def model_facts(folder: Path, weights: Sequence[Path]) -> dict[str, str]:
    """A model for the run record: its name, all its weights, and what else is set in its folder.

    Args:
        folder: where it lies.
        weights: every file of its weights, in order.
    """
    return {
        "model": folder.resolve().name,
        "weights": ", ".join(file.name for file in weights),
        "weights_sha256": files_sha256(weights),
        "configuration_sha256": files_sha256(sorted(folder.glob("*.json"))),
    }
