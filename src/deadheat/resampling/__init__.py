"""Many worlds from one table, each a row of weights."""
