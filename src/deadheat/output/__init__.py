"""What a result looks like outside: tables, text, JSON and its schemas."""
