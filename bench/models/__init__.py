"""How a model is asked: one client per wire format, the offline models, the store and the event loop."""
