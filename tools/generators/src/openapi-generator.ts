// openapi-generator, which has clients for many languages. Its program comes from Maven Central.

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installOnce } from './cache.ts'
import { refuseLines, runProgram } from './run-program.ts'

export const PROGRAMS = fileURLToPath(new URL('../programs/', import.meta.url))
const ARTIFACT = 'org.openapitools:openapi-generator-cli:7.17.0'
/** The plugin of Maven that copies artifacts and lists the libraries of a project. */
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'

/** The path of the program. */
export async function installOpenApiGenerator(): Promise<string> {
  const folder = await installOnce('openapi-generator', ARTIFACT, async (empty) => {
    await maven(empty, `${PLUGIN}:copy`, `-Dartifact=${ARTIFACT}`, '-DoutputDirectory=.')
  })
  return join(folder, 'openapi-generator-cli-7.17.0.jar')
}

/**
 * Generates into `folder` and throws when a warning is printed.
 *
 * @param harmless a warning that this generator prints for every document
 */
export async function runOpenApiGenerator(
  folder: string,
  documentFile: string,
  options: readonly string[],
  harmless?: string,
): Promise<void> {
  const output = await runProgram('java', [
    ...['-jar', await installOpenApiGenerator(), 'generate'],
    ...['--input-spec', documentFile, '--output', folder, ...options],
  ])
  const lines = output.split('\n').filter((line) => harmless === undefined || !line.endsWith(harmless))
  refuseLines('openapi-generator', lines.join('\n'), /WARN|ERROR/)
}

/** The class path of the libraries that a generated Java client needs. */
export async function javaLibraries(folder: string): Promise<string> {
  await maven(folder, `${PLUGIN}:build-classpath`, '-Dmdep.outputFile=libraries.txt')
  return join(folder, 'libraries.txt')
}

/** Copies the files of a folder of `programs` beside what was generated. */
export async function copyPrograms(from: string, folder: string): Promise<void> {
  await cp(join(PROGRAMS, from), folder, { recursive: true })
}

async function maven(cwd: string, ...args: readonly string[]): Promise<void> {
  await runProgram('mvn', ['--quiet', '--batch-mode', ...args], { cwd })
}
