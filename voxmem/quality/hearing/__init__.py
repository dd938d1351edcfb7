"""What can be measured and recognised in audio, by rules and by models that listen."""
