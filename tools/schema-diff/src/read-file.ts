import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { JsonValue } from './json.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads a JSON or YAML file.
 * @param name what messages call it; the file's own path unless told
 * @throws UsageError when the file cannot be read, or is neither
 */
export async function readJsonOrYaml(file: string, name: string = file): Promise<JsonValue> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${name} cannot be read: ${error.message}`)
  })
  try {
    // YAML 1.2 contains JSON, but its parser takes seconds for a large bundle where JSON.parse takes milliseconds.
    return file.endsWith('.json') ? JSON.parse(text) : parse(text)
  } catch (error) {
    throw new UsageError(`${name} is neither valid JSON nor valid YAML: ${(error as Error).message}`)
  }
}
