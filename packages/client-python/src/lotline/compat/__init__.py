"""For programs that move from other libraries."""
