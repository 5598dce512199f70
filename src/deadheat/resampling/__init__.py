"""Layer 2: many worlds from one table, each a row of weights."""
