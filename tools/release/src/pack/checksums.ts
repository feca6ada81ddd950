import { createHash } from 'node:crypto'

/** Returns the checksums in the format of `sha256sum --check SHA256SUMS`. */
export function checksums(files: ReadonlyMap<string, Uint8Array>): string {
  return [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('')
}
