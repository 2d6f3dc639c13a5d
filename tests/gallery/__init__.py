"""Pictures of every state of the window: `python -m tests.gallery DIR`."""
