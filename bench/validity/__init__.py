"""Is the benchmark itself sound: what can be known without looking, and what cannot be seen by looking."""
