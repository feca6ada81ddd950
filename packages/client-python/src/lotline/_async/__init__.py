"""The client. This folder is written by hand; ``_sync`` is made from it by ``build/unasync.py``."""
