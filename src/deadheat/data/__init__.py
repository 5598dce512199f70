"""Tables of results: what is ranked, and how it is read."""
