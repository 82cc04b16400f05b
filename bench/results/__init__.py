"""What is kept of a run: the reply store, records and raw JSONL."""
