"""A model server on this machine: speaks the wire formats, records what it is asked, misbehaves on demand."""
