# Written by `pnpm generate` from package.json, whose version the changesets set.
__version__ = "1.0.0"
