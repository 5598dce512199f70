"""What every room needs and that needs no other: errors, files, memory, types."""
