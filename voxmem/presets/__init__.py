"""Build configs that ship with the package: read one, copy it, change it, build with --config."""
