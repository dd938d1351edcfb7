"""From the words of a turn to stored audio: engines, voices, deliveries, sounds and mixing."""
