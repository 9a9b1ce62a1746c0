"""The facts of one identifier scheme, as `validators/README.md` describes them."""

from typing import Any, Literal

from pydantic import Field

from tracegen.resources import Facts

Label = Literal["account_number", "other_pii"]


class CheckRule(Facts):
    """Where check characters stand, what they cover and how they are found.

    `over` and `at` are slices of the compact value, written `start:stop`; several pieces of `over`
    are joined in the order given. `with` holds the parameters of the algorithm.
    """

    algorithm: str
    over: tuple[str, ...]
    at: str
    parameters: dict[str, Any] = Field(default_factory=dict)


class NeverIssued(Facts):
    """Values that belong to nobody.

    `valid` says whether the issuer's published rules still call such a number well made: a test
    range is valid, an impossible area number is not.
    """

    pattern: str
    why: str
    source: str
    valid: bool


class SchemeFacts(Facts):
    """`validators/<cc>-<name>.yaml`."""

    name: str
    english: str
    country: str | None
    kind: str
    label: Label = "account_number"
    authority: str
    source: tuple[str, ...]
    shape: str
    pattern: str
    prefix: str = ""
    separators: str = " -"
    mask: str
    check: tuple[CheckRule, ...] = ()
    predicate: str | None = None
    regions: dict[str, str] = Field(default_factory=dict)
    pictures: dict[str, str] = Field(default_factory=dict)
    never_issued: tuple[NeverIssued, ...] = ()
    valid: tuple[str, ...]
    invalid: dict[str, str]
    notes: str | None = None
