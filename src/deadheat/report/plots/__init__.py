"""The pictures, one file each; a picture computes nothing that a result does not know."""
