"""Who really won, and how sure we can be."""
