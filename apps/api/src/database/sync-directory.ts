import { open } from 'node:fs/promises'

/** Makes a name that was given or taken in the directory last over a loss of power. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
