"""Optimal rank aggregation: the ranking that is closest to the judges, and how sure that is."""
