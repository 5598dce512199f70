"""The ranking functions, found by discovery: a file holds one, or a family."""
