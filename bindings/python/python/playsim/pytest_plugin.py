"""A plugin for pytest."""
