"""The checks of the session gate: a file each. ``registry.py`` lists them."""
