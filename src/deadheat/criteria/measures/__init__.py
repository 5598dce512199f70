"""One file per criterion; all are found by discovery."""
