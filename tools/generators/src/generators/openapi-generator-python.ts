import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from '../generator.ts'
import { copyPrograms, installOpenApiGenerator, PROGRAMS, runOpenApiGenerator } from '../openapi-generator.ts'
import { installPython, typeCheck } from '../python.ts'
import { runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const OPTIONS = [
  '--generator-name',
  'python',
  '--package-name',
  'lotline_client',
  // A class `Property` clashes with a library that the client uses.
  '--model-name-mappings',
  'Property=HomeRecord',
]
/** Printed for every property of every document: the generator looks up the reference of a schema that has none. */
const HARMLESS = 'Failed to get the schema name: null'

export const openapiGeneratorPython: Generator = {
  name: 'openapi-generator-python',
  needs: ['java', 'mvn', 'python3'],
  document: 'openapi-3.0.json',
  snippets: { heading: 'Python: openapi-generator', language: 'python', file: 'guide.py' },

  async install() {
    await installPython()
    await installOpenApiGenerator()
  },

  async generate(folder, documentFile) {
    await runOpenApiGenerator(folder, documentFile, OPTIONS, HARMLESS)
  },

  async compile(folder) {
    const python = await installPython()
    await copyPrograms('openapi-generator-python', folder)
    await cp(join(PROGRAMS, 'python/same.py'), join(folder, 'same.py'))
    await runProgram(python.python, ['-m', 'compileall', '-q', 'lotline_client'], { cwd: folder })
    await typeCheck(python, folder, ['guide.py'])
  },

  async readExamples(folder, examplesFile) {
    const { python } = await installPython()
    return countRead(await runProgram(python, ['examples.py', examplesFile], { cwd: folder }))
  },

  async runScenario(folder, service) {
    const { python } = await installPython()
    return runScenarioProgram('openapi-generator-python', service, [python, 'scenario.py'], folder)
  },
}
