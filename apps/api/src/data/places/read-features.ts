// Reads the features of a file of boundaries: a GeoJSON FeatureCollection (RFC 7946), or one Feature per line.

import { openFile } from '../ingest/open-file.ts'
import { ImportFailure } from '../ingest/source-row.ts'
import { splitLines } from '../ingest/split-lines.ts'

export interface SourceFeature {
  /** Counted from 1. */
  readonly feature: number
  /** The line in a file with one feature per line, counted from 1. */
  readonly line?: number
  readonly value: unknown
  /** The reason why the line cannot be read, as the end of a sentence. */
  readonly fault?: string
}

const LINES = /\.(ndjson|geojsonl|geojsonseq|geojsons)(\.gz)?$/i
/** A boundary can have 200,000 positions. */
const MAX_FEATURE_BYTES = 16 * 1024 * 1024
/** The maximum length of a string. */
const MAX_FILE_BYTES = 500 * 1024 * 1024

/**
 * Either form can be compressed with gzip. A line that is not JSON is a fault of that line.
 *
 * @throws {ImportFailure} when the file cannot be read, or is not GeoJSON
 */
export async function* readFeatures(path: string): AsyncGenerator<SourceFeature> {
  const { bytes } = await openFile(path)
  if (LINES.test(path)) yield* readLines(bytes)
  else yield* readCollection(path, bytes)
}

/** GeoJSON text sequences (RFC 8142) begin each line with this character. */
const RECORD_SEPARATOR = '\u001e'

async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceFeature> {
  let feature = 0
  for await (const lines of splitLines(bytes, MAX_FEATURE_BYTES)) {
    for (const { line, content } of lines) {
      if (content === undefined) {
        yield { feature: ++feature, line, value: undefined, fault: 'The line is longer than 16 MiB.' }
        continue
      }
      const whole = content.toString()
      const text = whole.startsWith(RECORD_SEPARATOR) ? whole.slice(1) : whole
      if (text.trim() === '') continue
      feature++
      try {
        yield { feature, line, value: JSON.parse(text) }
      } catch (error) {
        yield { feature, line, value: undefined, fault: `The line is not JSON: ${(error as Error).message}.` }
      }
    }
  }
}

async function* readCollection(path: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceFeature> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > MAX_FILE_BYTES)
      throw new ImportFailure(
        `${path} is larger than 500 MiB. Convert it to one feature per line (ogr2ogr -f GeoJSONSeq), and name it .geojsonl.`,
      )
    chunks.push(chunk)
  }
  const features = featuresOf(
    path,
    Buffer.concat(chunks)
      .toString()
      .replace(/^\ufeff/, ''),
  )
  for (const [at, value] of features.entries()) yield { feature: at + 1, value }
}

function featuresOf(path: string, text: string): readonly unknown[] {
  let file: { readonly type?: unknown; readonly features?: unknown } | null
  try {
    file = JSON.parse(text)
  } catch (error) {
    throw new ImportFailure(`${path} is not JSON: ${(error as Error).message}. Nothing was changed.`)
  }
  if (file?.type === 'FeatureCollection' && Array.isArray(file.features)) return file.features
  if (file?.type === 'Feature') return [file]
  throw new ImportFailure(
    `${path} is not GeoJSON: it must be a FeatureCollection, or have one Feature per line and be named .geojsonl. Nothing was changed.`,
  )
}
