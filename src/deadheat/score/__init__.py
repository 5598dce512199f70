"""Runs become a table of scores."""
