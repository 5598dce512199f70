"""Intervals, tests, corrections and groups: arrays in, arrays out."""
