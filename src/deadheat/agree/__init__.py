"""How far the judges agree with each other."""
