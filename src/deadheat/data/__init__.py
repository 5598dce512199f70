"""What was given: tables, runs and battles, turned once so that higher is better."""
