"""The ranking functions, one file each, found by discovery."""
