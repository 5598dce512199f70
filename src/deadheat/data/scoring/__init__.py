"""One module per scoring rule, found by discovery: a new rule is one more file in this folder."""
