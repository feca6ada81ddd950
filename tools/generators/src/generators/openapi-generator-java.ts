// The Java client of openapi-generator with its default libraries, okhttp and gson. The library `native` gives no access to a response
// before it is read as the first success, so that a client could not read the 202 of a search.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from '../generator.ts'
import {
  copyPrograms,
  installJavaLibraries,
  installOpenApiGenerator,
  QUICK_JVM,
  runOpenApiGenerator,
} from '../openapi-generator.ts'
import { runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const NAME = 'openapi-generator-java'

const OPTIONS = [
  '--generator-name',
  'java',
  '--library',
  'okhttp-gson',
  '--invoker-package',
  'lotline',
  '--api-package',
  'lotline.api',
  '--model-package',
  'lotline.model',
]

export const openapiGeneratorJava: Generator = {
  name: NAME,
  needs: ['java', 'javac', 'mvn'],
  document: 'openapi-3.0.json',
  snippets: { heading: 'Java: openapi-generator', language: 'java', file: 'programs/Guide.java' },

  async install() {
    await installOpenApiGenerator()
  },

  async generate(folder, documentFile) {
    await runOpenApiGenerator(folder, documentFile, OPTIONS)
  },

  async compile(folder) {
    await copyPrograms('openapi-generator-java', join(folder, 'programs'))
    const sources = [
      ...(await javaFiles(join(folder, 'src/main/java'))),
      ...(await javaFiles(join(folder, 'programs'))),
    ]
    await writeFile(join(folder, 'sources.txt'), sources.join('\n'))
    await runProgram(
      'javac',
      [
        ...QUICK_JVM.map((option) => `-J${option}`),
        '-nowarn',
        '-proc:none',
        '-d',
        'classes',
        '-cp',
        await librariesOf(folder),
        '@sources.txt',
      ],
      { cwd: folder },
    )
  },

  async readExamples(folder, examplesFile) {
    // Each body as text of its own, as a client gets it.
    const examples = JSON.parse(await readFile(examplesFile, 'utf8')) as { readonly value: unknown }[]
    const lines = examples.flatMap(({ value, ...place }) => [JSON.stringify(place), JSON.stringify(value)])
    await writeFile(join(folder, 'examples.txt'), lines.join('\n'))
    const [program, ...args] = await java(folder, 'Examples', join(folder, 'examples.txt'))
    return countRead(await runProgram(program, args))
  },

  async runScenario(folder, service) {
    return runScenarioProgram(NAME, service, await java(folder, 'Scenario'), folder)
  },
}

async function java(folder: string, ...args: string[]): Promise<[string, ...string[]]> {
  return ['java', ...QUICK_JVM, '-cp', `${join(folder, 'classes')}:${await librariesOf(folder)}`, ...args]
}

/** A class path. */
async function librariesOf(folder: string): Promise<string> {
  return join(await installJavaLibraries(join(folder, 'pom.xml')), '*')
}

async function javaFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.java')).map((name) => join(folder, name))
}
