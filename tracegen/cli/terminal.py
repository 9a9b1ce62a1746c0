"""Show a conversation in a terminal, its spans coloured by label and decoys underlined."""

from rich.console import Console
from rich.text import Text

from tracegen.eval.plain import visible
from tracegen.model import LABELS, Conversation, Decoy, Message, Span

_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_cyan", "red", "bright_red",
            "bright_magenta")  # fmt: skip
STYLES = dict(zip(LABELS, _COLOURS, strict=True))
_DECOY_STYLE = "dim underline"


LONG_STRETCH = 900
"""Characters without a span or decoy from which the middle of a stretch is left out."""

_KEPT = 300


def print_conversation(conversation: Conversation, console: Console, *, full: bool = False) -> None:
    """Print one conversation; without colours the entities stand in brackets.

    Args:
        conversation: what to print.
        console: where; its `no_color` decides how spans are marked.
        full: print long stretches without spans whole.
    """
    subtitle = f"{conversation.language} · {conversation.template_id or conversation.source_corpus}"
    console.print(Text(visible(f"{conversation.id}  {subtitle}"), style="bold"))
    for message in conversation.messages():
        if message.text:
            who = Text(f"[{message.turn}] {message.source}: ", style="bold dim")
            text = _marked(message, conversation, plain=console.no_color, full=full)
            console.print(who + text, soft_wrap=True)
    console.print(_legend(conversation), style="dim")


def _marked(message: Message, conversation: Conversation, *, plain: bool, full: bool) -> Text:
    here = (message.turn, message.source)
    everything: list[Span | Decoy] = [*conversation.spans, *conversation.decoys]
    marks = [mark for mark in everything if (mark.turn, mark.source) == here]
    text, position = Text(), 0
    for mark in sorted(marks, key=lambda mark: mark.start):
        _append(text, message.text[position : mark.start], full)
        inside = visible(message.text[mark.start : mark.end])
        name = visible((mark.entity_id or mark.label) if isinstance(mark, Span) else mark.kind)
        style = STYLES.get(mark.label, "bold") if isinstance(mark, Span) else _DECOY_STYLE
        text.append(f"[{inside}]({name})" if plain else inside, style=style)
        position = mark.end
    _append(text, message.text[position:], full)
    return text


def _append(text: Text, stretch: str, full: bool) -> None:
    """Add unmarked text, with the middle of a long stretch left out."""
    stretch = visible(stretch)
    if full or len(stretch) < LONG_STRETCH:
        text.append(stretch)
        return
    left_out = len(stretch) - 2 * _KEPT
    text.append(stretch[:_KEPT])
    text.append(f"\n… {left_out:,} characters without spans …\n", style="dim italic")
    text.append(stretch[-_KEPT:])


def _legend(conversation: Conversation) -> Text:
    used = [label for label in LABELS if any(span.label == label for span in conversation.spans)]
    legend = Text(f"{len(conversation.spans)} mentions, {len(conversation.decoys)} decoys  ")
    for label in used:
        legend.append(label, style=STYLES[label]).append(" ")
    if conversation.decoys:
        legend.append("decoy", style=_DECOY_STYLE)
    return legend
