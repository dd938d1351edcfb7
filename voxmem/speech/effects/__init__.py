"""What happens to speech on its way to a listener: rooms, other talkers, telephones, codecs."""
