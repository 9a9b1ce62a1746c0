"""Is a long conversation made at the speed of short ones? Characters a second by length.

    python benchmarks/ladder.py                    all languages
    python benchmarks/ladder.py --languages de,th

Makes `window-ladder` conversations at 4,000, 32,000 and 128,000 characters, all gates on, in one
process, and prints characters a processor second at a length as a ratio to those at 4,000. Linear
cost is a ratio of about 1; above 1, a character of a long conversation costs less. Stories are
rendered before the clock starts, since all lengths share them.
"""

import argparse
import resource
import time

from tracegen.pipeline.inputs import read_inputs
from tracegen.pipeline.spec import read_spec
from tracegen.pipeline.workshop import Maker, open_workshop

LENGTHS = (4_000, 32_000, 128_000)
ITEMS = 3
_CELLS = 2 * len(LENGTHS) + 1


def maker_of(language: str) -> Maker:
    """A ladder of one language with these lengths at one depth."""
    facts = {"items": ITEMS, "lengths": list(LENGTHS), "depths": [50], "story": 900}
    spec = read_spec("window-ladder", languages=(language,), ladder=facts)
    return open_workshop(read_inputs(spec)).composer(None)


def speeds(maker: Maker) -> dict[int, float]:
    """Characters a processor second for conversations of about each length."""
    characters, seconds = dict.fromkeys(LENGTHS, 0), dict.fromkeys(LENGTHS, 0.0)
    for number in range(0, ITEMS * _CELLS, _CELLS):
        maker.conversation(number)  # the twins: renders the stories, warms the gates
    for number in range(ITEMS * _CELLS):
        begun = time.process_time()
        made = maker.conversation(number)
        spent = time.process_time() - begun
        if made is not None and made.level and made.level[0].isdigit():
            length = int(made.level.partition("@")[0])
            characters[length] += made.length
            seconds[length] += spent
    return {length: characters[length] / seconds[length] for length in LENGTHS}


def main() -> None:
    """Print a line a language."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--languages", help="by comma; all by default")
    chosen = parser.parse_args().languages
    languages = chosen.split(",") if chosen else read_spec("window-ladder").languages
    heads = "".join(f"{f'at {length:,}':>14}" for length in LENGTHS[1:])
    print(f"language  characters/s at {LENGTHS[0]:,}{heads}")
    for language in languages:
        found = speeds(maker_of(language))
        base = found[LENGTHS[0]]
        ratios = "".join(f"{found[length] / base:13.2f}x" for length in LENGTHS[1:])
        print(f"{language:8}  {base:21,.0f}{ratios}", flush=True)
    print(f"largest process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
