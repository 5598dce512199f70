"""What was understood of a file, and what looks wrong in it."""
