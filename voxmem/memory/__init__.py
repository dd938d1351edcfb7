"""Memory systems: what is heard is turned into something that is kept, and asked later."""
