"""The version of the package, alone in a file that the build reads."""

__version__ = "0.1.0"
