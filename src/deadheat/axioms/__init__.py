"""The axioms of ranking functions, searched for counter-examples and audited on tables."""
