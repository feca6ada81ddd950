// openapi-generator, which has clients for many languages. Its program comes from Maven Central.

import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installOnce } from './cache.ts'
import { refuseLines, runProgram } from './run-program.ts'

export const PROGRAMS = fileURLToPath(new URL('../programs/', import.meta.url))
const ARTIFACT = 'org.openapitools:openapi-generator-cli:7.17.0'
/** The plugin of Maven that copies artifacts and the libraries of a project. */
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'

/** For programs that end after seconds: compiling their code further takes longer than it saves. */
export const QUICK_JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
/** Only the client: neither its documentation nor its tests, which are more files than it has. */
const ONLY_CLIENT =
  'apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'

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
    ...QUICK_JVM,
    '-jar',
    await installOpenApiGenerator(),
    'generate',
    '--input-spec',
    documentFile,
    '--output',
    folder,
    '--global-property',
    ONLY_CLIENT,
    ...options,
  ])
  const lines = output.split('\n').filter((line) => harmless === undefined || !line.endsWith(harmless))
  refuseLines('openapi-generator', lines.join('\n'), /WARN|ERROR/)
}

/** The folder with the libraries that a generated Java client needs, as its project file lists them. */
export async function installJavaLibraries(projectFile: string): Promise<string> {
  const project = await readFile(projectFile, 'utf8')
  return installOnce('java-libraries', PLUGIN + project, async (empty) => {
    const options = ['-DincludeScope=compile', `-DoutputDirectory=${empty}`]
    await maven(empty, '--file', projectFile, `${PLUGIN}:copy-dependencies`, ...options)
  })
}

/** Copies the files of a folder of `programs` beside what was generated. */
export async function copyPrograms(from: string, folder: string): Promise<void> {
  await cp(join(PROGRAMS, from), folder, { recursive: true })
}

async function maven(cwd: string, ...args: readonly string[]): Promise<void> {
  await runProgram('mvn', ['--quiet', '--batch-mode', ...args], { cwd })
}
