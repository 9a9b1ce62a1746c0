"""The sandbox in which templates run: span-keeping, closed, and bounded.

Three things make it safe for a stranger's template. Attributes and calls are refused except those
listed here, so no Python object can be reached. Filters, tests and globals are allow-lists, and
syntax that could lose spans is refused when a template is compiled. Every loop step, call and
character is counted against a budget, so a template can neither run for ever nor grow without
bound; no timer is needed.
"""

from collections.abc import Mapping
from functools import cache
from types import FunctionType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tracegen.errors import RenderError
from tracegen.templates.carriers import escape_for
from tracegen.templates.filters import (
    MAXIMUM_STEPS,
    STATE,
    as_text,
    filters,
    limited_nesting,
    limited_range,
    printable,
)
from tracegen.templates.text import Mark, Mention, Mixed, concat

_LOOP_ATTRIBUTES = frozenset({
    "index", "index0", "revindex", "revindex0", "first", "last", "length", "cycle", "previtem",
    "nextitem", "changed",
})  # fmt: skip
_ALLOWED_NODES = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Assign,
    nodes.AssignBlock, nodes.Macro, nodes.With, nodes.Name, nodes.Const, nodes.Tuple, nodes.List,
    nodes.Dict, nodes.Pair, nodes.Keyword, nodes.CondExpr, nodes.Filter, nodes.Test, nodes.Call,
    nodes.Getattr, nodes.Getitem, nodes.Concat, nodes.Compare, nodes.Operand, nodes.Not, nodes.And,
    nodes.Or, nodes.BinExpr, nodes.UnaryExpr, nodes.ExtensionAttribute,
)  # fmt: skip
_REFUSED_NODES: Mapping[type[nodes.Node], str] = {
    nodes.Include: "include", nodes.Import: "import", nodes.FromImport: "import",
    nodes.Extends: "extends", nodes.Block: "block", nodes.FilterBlock: "a filter block",
    nodes.CallBlock: "a call block", nodes.Slice: "a slice",
}  # fmt: skip


class _SpanKeepingGenerator(CodeGenerator):
    """Jinja2 joins `a ~ b` as plain strings; this keeps spans by the environment's `concat`."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 (jinja2's name)
        self.write("environment.concat([")
        for part in node.nodes:
            self.write("environment.text(")
            self.visit(part, frame)
            self.write("), ")
        self.write("])")

    def visit_List(self, node: nodes.List, frame: Frame) -> None:  # noqa: N802
        self.write("environment.nested(")
        super().visit_List(node, frame)
        self.write(")")

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802
        self.write("environment.nested(")
        super().visit_Dict(node, frame)
        self.write(")")


class CarrierBlock(Extension):
    """`{% carrier "json" %} ... {% endcarrier %}`."""

    tags = {"carrier"}  # noqa: RUF012 (jinja2's protocol)

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Bracket the body with two marks."""
        line = next(parser.stream).lineno
        name = parser.parse_expression()
        body = parser.parse_statements(("name:endcarrier",), drop_needle=True)
        if not isinstance(name, nodes.Const) or not isinstance(name.value, str):
            parser.fail("carrier takes one name in quotes", line)
        escape_for(name.value)
        if any(
            isinstance(node, nodes.Call) and _opens(node)
            for one in body
            for node in one.find_all(nodes.Call)
        ):
            parser.fail("a carrier block inside another", line)
        opening = nodes.Output([self.call_method("_open", [name])]).set_lineno(line)
        closing = nodes.Output([self.call_method("_close", [])]).set_lineno(line)
        return [opening, *body, closing]

    def _open(self, name: str) -> Mark:  # called by compiled templates
        return Mark("carrier", name)

    def _close(self) -> Mark:
        return Mark("carrier", None)


def _opens(call: nodes.Call) -> bool:
    return isinstance(call.node, nodes.ExtensionAttribute) and call.node.name == "_open"


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment; one serves all templates of a process."""

    code_generator_class = _SpanKeepingGenerator
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self) -> None:
        """Close every list."""
        super().__init__(
            undefined=jinja2.StrictUndefined,
            autoescape=False,
            finalize=printable,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[CarrierBlock],
            cache_size=0,
        )
        self.filters = dict(filters())
        self.tests = {
            name: self.tests[name]
            for name in ("defined", "divisibleby", "even", "odd", "eq", "ne", "lt", "gt", "in")
        }
        self.globals = {"range": limited_range}

    concat = staticmethod(concat)

    text = staticmethod(as_text)
    nested = staticmethod(limited_nesting)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Only a placeholder has attributes (its forms), and `loop` its counters."""
        if isinstance(obj, (Mention, Mixed)) and obj.slot is not None:
            return obj.slot.written(attribute)
        if isinstance(obj, LoopContext) and attribute in _LOOP_ATTRIBUTES:
            return getattr(obj, attribute)
        raise RenderError(f"attribute {attribute!r} is not allowed here")

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Items of lists and dictionaries written in the template; nothing of a text."""
        if isinstance(obj, (list, tuple, dict)):
            try:
                return obj[argument]
            except (LookupError, TypeError):
                raise RenderError(f"no item {argument!r}") from None
        raise RenderError("an item or slice of a text is not allowed")

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call one of our own functions or a macro, and count it."""
        context.parent[STATE].step()
        if type(obj) is FunctionType:  # one of ours: no other plain function can be reached
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return obj(*args, **kwargs)
        return super().call(context, obj, *args, **kwargs)

    def is_safe_callable(self, obj: Any) -> bool:
        """Only what tracegen itself put into the context, macros and `loop.cycle`."""
        return True  # nothing else can be reached: getattr and getitem are closed

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Arithmetic on numbers of a sane size; `+` also joins texts and lists."""
        if operator == "+":
            if isinstance(left, str) and isinstance(right, str):
                return concat((left, right))
            if isinstance(left, list) and isinstance(right, list):
                if len(left) + len(right) > MAXIMUM_STEPS:
                    raise RenderError("a list grows without bound")
                return left + right
        if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
            raise RenderError(f"operator {operator} takes numbers")
        if operator == "**" and (abs(left) > 1000 or abs(right) > 6):
            raise RenderError("a power that large is not allowed")
        if operator == "*" and max(abs(left), abs(right)) > 10**12:
            raise RenderError("a product that large is not allowed")
        return super().call_binop(context, operator, left, right)


@cache
def sandbox() -> Sandbox:
    """The process' one environment."""
    return Sandbox()


def refusal(node: nodes.Node) -> str | None:
    """Why a syntax node is refused, if it is: it could lose spans or leave the sandbox."""
    reason = _REFUSED_NODES.get(type(node))
    if reason:
        return f"{reason} is not allowed"
    if not isinstance(node, _ALLOWED_NODES):
        return f"{type(node).__name__} is not allowed"
    if isinstance(node, nodes.Name) and (node.name.startswith("_") or node.name == "self"):
        return f"unknown name {node.name!r}"
    if isinstance(node, nodes.Filter) and node.name.startswith("_"):
        return f"No filter named {node.name!r}"
    if isinstance(node, nodes.For) and node.recursive:
        return "a recursive loop is not allowed"
    return None


def counted(items: nodes.Node, environment: Sandbox) -> nodes.Filter:
    """The expression that a loop runs over, wrapped so that its steps count."""
    wrapped = nodes.Filter(items, "_counted", [], [], None, None, lineno=items.lineno)
    wrapped.set_environment(environment)
    return wrapped
