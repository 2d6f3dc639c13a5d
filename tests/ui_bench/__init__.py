"""The benchmark page, on scripted services and on the real engine."""
