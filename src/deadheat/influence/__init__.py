"""Which judges and candidates change the ranking when they are left out."""
