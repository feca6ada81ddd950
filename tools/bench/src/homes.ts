// Files of as many homes as are wanted: the short records first, then copies of all of them again and again, each time
// some metres further away and under zpids of their own.

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

/** About 50 m. */
const SHIFT_DEGREES = 0.0005
const CHUNK = 1_000

interface HomePosition {
  readonly zpid: string
  readonly latitude: number
  readonly longitude: number
}

/** Writes the homes from the position `from` to the one before `to` as NDJSON, and returns the path. */
export async function writeHomes(
  files: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
  path: string,
): Promise<string> {
  const output = createWriteStream(path)
  let chunk: string[] = []
  const flush = async () => {
    if (!output.write(chunk.join(''))) await once(output, 'drain')
    chunk = []
  }
  for await (const line of homes(files, from, to)) {
    chunk.push(`${line}\n`)
    if (chunk.length === CHUNK) await flush()
  }
  await flush()
  output.end()
  await finished(output)
  return path
}

/** The number of homes before the first copy. */
export async function countOriginals(files: readonly string[]): Promise<number> {
  let count = 0
  for (const file of files) for await (const _ of linesOf(file)) count += 1
  return count
}

/** Describes the homes in words. `kind` describes the originals. */
export function describeHomes(kind: string, originals: number, size: number): string {
  const thousands = (count: number) => count.toLocaleString('en-US')
  if (size <= originals) return `${thousands(size)} ${kind}`
  return `${thousands(originals)} ${kind} and ${thousands(size - originals)} copies of them, shifted by 50 m or more`
}

async function* homes(files: readonly string[], from: number, to: number): AsyncGenerator<string> {
  let at = 0
  for (let step = 0; at < to; step++) {
    for (const file of files) {
      for await (const line of linesOf(file)) {
        if (at >= to) return
        if (at++ >= from) yield step === 0 ? line : shifted(line, step)
      }
    }
  }
}

function linesOf(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file)
  return createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })
}

function shifted(line: string, step: number): string {
  const home = JSON.parse(line) as HomePosition
  const shift = step * SHIFT_DEGREES
  return JSON.stringify({
    ...home,
    zpid: `${900 + step}${home.zpid}`,
    latitude: home.latitude + shift,
    longitude: home.longitude + shift,
  })
}
