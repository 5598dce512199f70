"""Layer 1: from scores and weights to merits, from merits to ranks."""
