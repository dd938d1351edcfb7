"""Background sounds: where they come from."""
