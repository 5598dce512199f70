"""Which ranking function to trust on a table, measured by resampling it."""
