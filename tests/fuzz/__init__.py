"""Odd files and options, and the laws that no run breaks."""
