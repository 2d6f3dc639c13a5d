"""Conversations as files, out and in. No Qt but in `exporter` and `importer`."""
