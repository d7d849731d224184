"""The operators: one family of mistakes a file, each with examples of what it does to a piece of code."""
