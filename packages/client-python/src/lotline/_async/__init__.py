"""The client. This folder is written by hand; `pnpm generate` makes ``_sync`` from it."""
