"""The reader: a pixel-only baseline that sees what a model sees, the picture and the prompt."""
