"""Layer 3: what can be said of a table and of its replicates, and how surely."""
