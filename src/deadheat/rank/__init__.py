"""Who is first by a ranking function."""
