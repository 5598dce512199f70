"""One file per axiom, found by discovery."""
