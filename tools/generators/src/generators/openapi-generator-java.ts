// The Java clients of openapi-generator: with okhttp and gson, which is its default, and with the HTTP client of Java and Jackson.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from '../generator.ts'
import {
  copyPrograms,
  installOpenApiGenerator,
  javaLibraries,
  runOpenApiGenerator,
} from '../openapi-generator.ts'
import { runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const OPTIONS = [
  ...['--generator-name', 'java', '--invoker-package', 'lotline'],
  ...['--api-package', 'lotline.api', '--model-package', 'lotline.model'],
]

export const openapiGeneratorOkhttp = javaClient('okhttp-gson')
export const openapiGeneratorNative = javaClient('native')

function javaClient(library: string): Generator {
  const name = `openapi-generator-java-${library}`
  const java = async (folder: string, ...args: [string, ...string[]]): Promise<[string, ...string[]]> => {
    const libraries = (await readFile(join(folder, 'libraries.txt'), 'utf8')).trim()
    return ['java', '-cp', `${join(folder, 'classes')}:${libraries}`, ...args]
  }
  return {
    name,
    needs: ['java', 'javac', 'mvn'],
    slow: true,
    document: 'openapi-3.0.json',

    async install() {
      await installOpenApiGenerator()
    },

    async generate(folder, documentFile) {
      await runOpenApiGenerator(folder, documentFile, [...OPTIONS, '--library', library])
    },

    async compile(folder) {
      await copyPrograms('openapi-generator-java/common', join(folder, 'programs'))
      await copyPrograms(`openapi-generator-java/${library}`, join(folder, 'programs'))
      const libraries = await readFile(await javaLibraries(folder), 'utf8')
      const sources = [
        ...(await javaFiles(join(folder, 'src/main/java'))),
        ...(await javaFiles(join(folder, 'programs'))),
      ]
      await writeFile(join(folder, 'sources.txt'), sources.join('\n'))
      await runProgram('javac', ['-nowarn', '-d', 'classes', '-cp', libraries.trim(), '@sources.txt'], {
        cwd: folder,
      })
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
      return runScenarioProgram(name, service, await java(folder, 'Scenario'), folder)
    },
  }
}

async function javaFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.java')).map((name) => join(folder, name))
}
