"""Ordinary against speculative decoding, measured in pairs of runs on one loaded pair. Knows no Qt."""
