"""Names that are written from right to left, inside sentences that are not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from deadheat.errors import bare
from deadheat.text import visible

FIRST_STRONG, END = "\u2068", "\u2069"
MOST = 2_000  # names that are looked for


def isolating(names: Iterable[str]) -> Callable[[str], str]:
    """Return what encloses such names in a text, so that they move nothing beside them.

    Without that a browser shows ``A (1), B (2)`` as ``A (1), (2) B`` where both are Hebrew.

    >>> isolating(["x", "אב"])("x (1), אב (2)") == "x (1), \u2068אב\u2069 (2)"
    True
    """
    turned = [name for name in names if _is_right_to_left(name)][:MOST]
    forms = {visible(form) for name in turned for form in (name, bare(name))}
    if not forms:
        return lambda text: text
    any_of = re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))))
    return lambda text: any_of.sub(lambda found: f"{FIRST_STRONG}{found[0]}{END}", text)


def _is_right_to_left(name: str) -> bool:
    return not name.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in name)
