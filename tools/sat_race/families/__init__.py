"""Seeded families of instances, one file for each group of families."""
