"""Recompute the tables and figures of a paper, ours beside the printed numbers."""
