"""The ranking that is closest to all judges."""
