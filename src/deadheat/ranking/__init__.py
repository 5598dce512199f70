"""The one rule: scores and weights become merits, merits become ranks."""
