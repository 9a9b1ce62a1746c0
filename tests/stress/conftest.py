"""A small ladder and small edges, made once for all tests here."""

from pathlib import Path

import pytest

from tracegen.corpus import read
from tracegen.model import Conversation
from tracegen.pipeline.generate import Run, generate
from tracegen.pipeline.spec import Spec, read_spec
from tracegen.resources import validate

LENGTHS, DEPTHS = (1000, 4000, 16000), (0, 50, 100)


def ladder_spec(languages: tuple[str, ...] = ("en", "zh"), **changes: object) -> Spec:
    fields = read_spec("window-ladder").model_dump() | {"languages": languages, "shard_rows": 12}
    fields["ladder"] |= {"items": 1, "lengths": LENGTHS, "depths": DEPTHS}
    return validate(Spec, fields | changes, Path("test"))


def edge_spec(edges: list[dict[str, object]], languages: tuple[str, ...]) -> Spec:
    fields = read_spec("edge-straddle").model_dump() | {"languages": languages}
    fields["edges"]["edges"] = edges
    return validate(Spec, fields, Path("test"))


def made(spec: Spec, folder: Path) -> Path:
    generate(spec, Run(folder, formats=("parquet", "jsonl")))
    return folder


@pytest.fixture(scope="session")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(ladder_spec(), tmp_path_factory.mktemp("ladder") / "ladder")


@pytest.fixture(scope="session")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = edge_spec([{"size": 512, "unit": "words"}, {"size": 1500, "unit": "chars"}],
                     ("en", "zh"))  # fmt: skip
    return made(spec, tmp_path_factory.mktemp("edges") / "edges")


@pytest.fixture(scope="session")
def rungs(ladder: Path) -> list[Conversation]:
    return list(read(ladder))
