"""The command line: one file a command, loaded only when that command runs.

A command `name` is the function `name` of the module `tracegen.cli.name` (a Python keyword gets a
trailing underscore; a group of commands is a `typer.Typer` called `app`). What a function raises
becomes an exit code here and nowhere else: 0 fine, 1 findings (`typer.Exit(1)`), 2 bad input.
"""

import importlib
import keyword
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
import typer.main

from tracegen import __version__
from tracegen.cli.streams import finish, prepare
from tracegen.errors import InputError, OutputError, unknown

COMMANDS: dict[str, str] = {
    "generate": "Generate a corpus from a slice spec.",
    "shard": "Generate one shard of a corpus, for many machines.",
    "finish": "Complete a corpus whose shards were generated apart.",
    "lint": "Check templates, locale packs and identifier schemes.",
    "sample": "Print one conversation of a template.",
    "check": "Run the gates on a corpus.",
    "stats": "Describe a corpus beside the published figures.",
    "show": "Print conversations in the terminal, spans marked.",
    "view": "Write a page that shows a corpus.",
    "detect": "Run a detector over a corpus.",
    "stress": "Find the lengths and window edges at which a detector fails.",
    "score": "Score a detector's predictions: leaks, recall, recurring identifiers.",
    "errors": "Browse a detector's errors with their text.",
    "compare": "Compare detectors on the same gold, with paired tests.",
    "agree": "Measure the agreement of two annotations.",
    "plan": "Say how many mentions a wanted precision needs.",
    "freeze": "Pin a corpus as a readable, hashed slice.",
    "verify": "Check a corpus or freeze against its checksums.",
    "overlap": "Look for what a corpus shares with other files.",
    "split": "Split a corpus so that no template is on both sides.",
    "import": "Turn another format into a corpus.",
    "export": "Turn a corpus into another format.",
    "templatize": "Turn a corpus into templates with placeholders.",
    "paraphrase": "Reword templates with a language model of yours.",
    "validate": "Check one identifier against its scheme.",
    "locale": "Build, list and show locale packs.",
}
"""Every command with its line in `tracegen --help`."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Args:
        arguments: the words after `tracegen`; those of the process by default.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    prepare()
    code = run(words)
    problem = finish()
    sys.exit(_complain(problem) if problem and code in (0, 1) else code)


def run(words: list[str]) -> int:
    """Run the command line on these words.

    Returns:
        The exit code: 0 fine, 1 findings, 2 bad input or usage, 130 stopped with Ctrl-C.
    """
    try:
        _check_command(words)
        return _invoke(words)
    except KeyboardInterrupt as stop:  # a command may say what it keeps
        _complain("; ".join(["stopped", *map(str, stop.args)]))
        return 130
    except (InputError, OutputError) as error:
        return _complain(str(error))
    except typer.Abort:
        return _complain("stopped")
    except OSError as error:
        return _complain(f"{error.filename or 'standard output'}: {error.strerror}")
    except Exception as error:
        if not _is_usage(error):
            raise
        return _complain(error.format_message())  # type: ignore[attr-defined]


def _invoke(words: list[str]) -> int:
    """Run the command; Typer's own `main` would keep an interrupt and broken pipes to itself."""
    command = typer.main.get_command(application(words))
    try:
        with command.make_context("tracegen", list(words)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return int(end.exit_code)
    return 0


def _check_command(words: Sequence[str]) -> None:
    if words and not words[0].startswith("-") and words[0] not in COMMANDS:
        raise InputError(unknown("command", words[0], COMMANDS))


def application(words: Sequence[str]) -> typer.Typer:
    """The command line with the one command that these words name loaded, the rest only named."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Generate synthetic conversations with linked PII, and score detectors on them.",
        epilog="`tracegen COMMAND --help` explains a command and gives an example.",
    )
    app.callback(invoke_without_command=True)(_root)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, line in COMMANDS.items():
        if not _exists(name):
            continue
        if name == wanted:
            _register(app, name)
        else:
            app.command(name, help=line)(_unloaded)
    return app


def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        typer.echo(f"tracegen {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _unloaded() -> None:
    """Stand in for a command that these words do not run."""


def _register(app: typer.Typer, name: str) -> None:
    module = importlib.import_module(f"tracegen.cli.{_module(name)}")
    group = getattr(module, "app", None)
    if isinstance(group, typer.Typer):
        app.add_typer(group, name=name, help=COMMANDS[name])
        return
    function: Callable[..., Any] = getattr(module, _module(name))
    app.command(name)(function)


def _module(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _exists(name: str) -> bool:
    folder = Path(__file__).parent
    return (folder / f"{_module(name)}.py").is_file() or (folder / _module(name)).is_dir()


def _is_usage(error: Exception) -> bool:
    """Whether this is Typer's complaint about the words given; its class moved between releases."""
    return hasattr(error, "format_message") and hasattr(error, "exit_code")


def _complain(problem: str) -> int:
    typer.echo(f"error: {' '.join(problem.split())}", err=True)
    return 2
