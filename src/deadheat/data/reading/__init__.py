"""From a file or a frame to a table, runs or battles, in one direction."""
