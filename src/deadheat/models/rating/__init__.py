"""Rating models: candidates in pairs or rounds, and ratings whose differences mean something."""
