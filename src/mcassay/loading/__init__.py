"""Loading: what is under test, from where the user says it is written."""
