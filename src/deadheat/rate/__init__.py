"""Ratings of candidates, and the chance that one beats another."""
