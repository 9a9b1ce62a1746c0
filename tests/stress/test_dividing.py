from itertools import product

from tracegen.pipeline.catalogue import Filler
from tracegen.pipeline.dividing import divide
from tracegen.seeds import Stream


def fillers(stream: Stream) -> list[Filler]:
    """Small pieces, long ones, and ones that grow."""
    draw = [stream.child(number).random() for number in range(12)]
    return [
        *(Filler(f"small/{n}", 60 + 300 * draw[n], 0.0, False) for n in range(6)),
        *(Filler(f"long/{n}", 500 + 900 * draw[n], 0.0, False) for n in range(6, 9)),
        *(Filler(f"grows/{n}", 80 * draw[n], 20 + 60 * draw[n], True) for n in range(9, 12)),
    ]


def test_no_piece_stands_on_both_sides_and_small_pieces_come_as_near_as_any() -> None:
    for number in range(20):
        stream = Stream("dividing", number)
        pieces = fillers(stream)
        lengths = {one.template: one for one in pieces}
        sides = 200 + 900 * stream.child("one").random(), 200 + 900 * stream.child("two").random()
        both = divide(pieces, sides, stream)
        names = [part.template for side in both for part in side.parts]
        assert len(names) == len(set(names))
        missed = sum(abs(side.length - wanted) for side, wanted in zip(both, sides, strict=True))
        alone = [one.base for one in pieces if not one.slope and one.base <= 400]
        nearest = min(
            abs(one - sides[0]) + abs(other - sides[1])
            for (here, one), (there, other) in product(enumerate(alone), repeat=2)
            if here != there
        )
        assert missed <= nearest + 2 * max(1.0, 0.02 * sum(sides))
        for side in both:
            known = sum(
                one.base + one.slope * part.rows if part.rows else one.least
                for part in side.parts
                for one in (lengths[part.template],)
            )
            assert abs(known - side.length) < 1e-6
