"""The sections of a page, one file each; a section computes nothing."""
