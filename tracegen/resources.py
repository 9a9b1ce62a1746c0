"""Find a data room and read its YAML files into checked models, naming file and key on error."""

from pathlib import Path
from typing import Any, Literal, TypeVar

import pydantic
import yaml

from tracegen.errors import InputError

Room = Literal["templates", "locales", "validators", "eval"]
Model = TypeVar("Model", bound=pydantic.BaseModel)

SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The fast loader where libyaml is there."""


class _StrictLoader(SafeLoader):  # type: ignore[misc]
    """Safe YAML that refuses a key given twice, which plain YAML lets win silently."""


def _mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"key {key!r} is given twice", key_node.start_mark
            )
        seen.add(key)
    return dict(loader.construct_pairs(node, deep=True))


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


class Facts(pydantic.BaseModel):
    """Base of everything read from a room: frozen, and an unknown key is an error."""

    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)


def room(name: Room) -> Path:
    """The folder of a data room: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).parent
    shipped = package / "data" / name
    return shipped if shipped.is_dir() else package.parent / name


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, line ends untouched.

    Raises:
        InputError: the file is missing, unreadable or not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not UTF-8 (byte {error.start}); save it as UTF-8", file=path
        ) from error


def parse_yaml(text: str, path: Path) -> Any:
    """The value of one YAML document.

    Raises:
        InputError: broken YAML, or a key given twice; names the line.
    """
    try:
        return yaml.load(text, Loader=_StrictLoader)  # noqa: S506 (a subclass of the safe loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise InputError(
            f"broken YAML: {error.problem}", file=path, where=mark.line + 1 if mark else None
        ) from error
    except yaml.YAMLError as error:
        raise InputError(f"broken YAML: {error}", file=path) from error
    except (ValueError, TypeError, RecursionError) as error:  # 31 February, a list as a key, ...
        raise InputError(f"broken YAML: {error}", file=path) from error


def validate(model: type[Model], value: Any, path: Path) -> Model:
    """Check a plain value against a model.

    Raises:
        InputError: names the key path of the first problem.
    """
    try:
        return model.model_validate(value, strict=False)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or None
        raise InputError(first["msg"], file=path, where=where) from error


def read_yaml(model: type[Model], path: Path) -> Model:
    """Read one YAML file of a room into its model.

    Raises:
        InputError: the file is missing, broken, or does not fit the model.
    """
    return validate(model, parse_yaml(read_text(path), path), path)
