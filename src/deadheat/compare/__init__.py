"""Two candidates, head to head."""
