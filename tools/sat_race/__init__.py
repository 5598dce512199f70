"""The competition behind the example `sat-race`: instances, runner and journal."""
