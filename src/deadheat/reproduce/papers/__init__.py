"""The papers that can be recomputed, one file each."""
