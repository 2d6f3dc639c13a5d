"""Slipstream: a local chat that shows what speculative decoding does on this machine."""

__version__ = "0.1.0"
