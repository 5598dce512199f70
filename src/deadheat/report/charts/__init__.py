"""What pictures share: theme, rows, placement of labels, grids, curves."""
