"""Gates: what a finished conversation must pass before it is written.

They see the record only, never the plan, the template or the makers. `docs/gates.md` says what
each gate proves and what it does not.
"""

from tracegen.gates.gates import Gates
from tracegen.gates.vault import Vault
from tracegen.gates.verdict import GATES, Verdict, Violation

__all__ = ["GATES", "Gates", "Vault", "Verdict", "Violation"]
