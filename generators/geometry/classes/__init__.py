"""The image classes, one module each."""
