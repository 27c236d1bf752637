"""Compares avtool with other tools, and disturbs it: what the tests of this folder share."""
