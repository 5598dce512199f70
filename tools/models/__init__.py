"""The parts of make_models.py: tasks, settings, fits, journal, datasheet."""
