"""What stands in the JSON of each result: one file per command, found by discovery."""
