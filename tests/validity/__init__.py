"""Simulations of every promise, on public functions only."""
