"""Speech engines that a server computes: cloned voices, and any server of the OpenAI shape."""
