"""What simulation has shown of our own promises: the one place of every error rate in a sentence.

Each constant names the promise of ``docs/validity.md`` that measured it; ``make validity`` measures
them again.
"""

from __future__ import annotations
