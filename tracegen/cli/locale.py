"""`tracegen locale`: list, show and build locale packs."""

from pathlib import Path
from typing import Annotated

import typer

from tracegen.errors import InputError
from tracegen.locales import known_locales, load_pack
from tracegen.resources import room

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="A locale, such as de_DE.")]


@app.command("list")
def list_() -> None:
    """List the locales that have a pack: language, script, names, places, whether it is frozen.

    Example: tracegen locale list
    """
    from tracegen.locales.lock import is_frozen

    for locale in known_locales():
        pack = load_pack(locale)
        names = sum(len(pool.parts) for pool in pack.names.values())
        state = "frozen" if is_frozen(locale) else "changed since it was frozen"
        typer.echo(
            f"{locale}  {pack.identity.name:<28} {pack.identity.script}  {names:>6,} names"
            f" {len(pack.places):>4} places  {state}"
        )


@app.command()
def show(locale: Name) -> None:
    """Print every kind of a locale: an example, its written forms, its policy and validator.

    Example: tracegen locale show ja_JP
    """
    from tracegen.values.table import entries

    for entry in entries(locale):
        typer.echo(f"{entry.kind}: {_line(entry.example)}")
        for name, text in entry.forms.items():
            typer.echo(f"    {name:<22} {_line(text)}")
        typer.echo(f"    {entry.policy} ({entry.why}); accepted by {entry.validator}")


def _line(text: str) -> str:
    return text.replace("\n", " ⏎ ")


@app.command()
def build(
    locale: Annotated[
        str | None, typer.Argument(help="A locale, such as pl_PL; all packs by default.")
    ] = None,
    draw: Annotated[
        bool, typer.Option("--draw", help="Add names that Faker has and the pack lacks.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a pack is not as frozen.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the packs; the room locales/ by default.")
    ] = None,
) -> None:
    """Build a pack's names from Faker and curated rows, and freeze the pack by its hash.

    A curated row is never changed. A locale without a pack gets every file of the format, and a
    list of what a person must fill in; build it again when that is done.

    Example: tracegen locale build pl_PL
    """
    home = out or room("locales")
    names = [locale] if locale else sorted(p.parent.name for p in home.glob("*/locale.yaml"))
    if check:
        _check(names, home)
    else:
        for name in names:
            _build(name, home, draw)


def _check(names: list[str], home: Path) -> None:
    """Say which packs differ from what they would be built to or were frozen as."""
    from tracegen.locales.build import build_names
    from tracegen.locales.lock import is_frozen

    stale = 0
    for name in names:
        path = home / name / "names.csv"
        if not path.is_file():
            raise InputError(f"locale {name!r} has no pack here; build it", file=home / name)
        same = build_names(name, home / name, draw=False).text == path.read_text(encoding="utf-8")
        if not same or not is_frozen(name, home):
            stale += 1
            what = "differs from its hash in packs.lock" if same else "names.csv is not as built"
            typer.echo(f"{name}: {what}; look at the change, then `tracegen locale build {name}`")
    typer.echo(f"{len(names)} packs, {stale} not as frozen", err=True)
    if stale:
        raise typer.Exit(1)


def _build(name: str, home: Path, draw: bool) -> None:
    from tracegen.locales.build import build_names
    from tracegen.locales.lock import freeze
    from tracegen.locales.skeleton import what_is_open, write_skeleton

    folder = home / name
    if not (folder / "locale.yaml").is_file():
        todo = write_skeleton(name, folder)
        typer.echo(f"{name}: began a pack in {folder}")
    else:
        made = build_names(name, folder, draw=draw)
        (folder / "names.csv").write_text(made.text, encoding="utf-8")
        todo = what_is_open(folder, made)
    for line in todo:
        typer.echo(f"  {line}")
    if todo:
        typer.echo(f"{name}: not frozen, {len(todo)} things to fill in (locales/README.md)")
        return
    if home == room("locales"):
        load_pack.cache_clear()
        load_pack(name)
    typer.echo(f"{name}: frozen as {freeze(name, home)[:12]}")
