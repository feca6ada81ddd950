# Made from _async by `pnpm generate`. Edits are lost: change the original instead.
"""The client without ``await``."""
