// datamodel-code-generator: pydantic models only, used with httpx.

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Generator } from '../generator.ts'
import { installPython, typeCheck } from '../python.ts'
import { refuseLines, runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const PROGRAMS = fileURLToPath(new URL('../../programs/', import.meta.url))

const OPTIONS = [
  '--input-file-type',
  'openapi',
  '--openapi-scopes',
  'schemas',
  'paths',
  'webhooks',
  '--output-model-type',
  'pydantic_v2.BaseModel',
  '--use-operation-id-as-name',
  '--target-python-version',
  '3.11',
  '--formatters',
  'builtin',
  // Otherwise an open enum is not a string but a model with the string in its field `root`.
  '--collapse-root-models',
  // The URL type of pydantic takes no pattern and adds a slash to some URLs; that of email needs another package.
  '--type-mappings',
  'string+uri=string',
  'string+email=string',
]

export const datamodelCodeGenerator: Generator = {
  name: 'datamodel-code-generator',
  needs: ['python3'],
  slow: true,
  document: 'openapi.json',
  snippets: { heading: 'Python: datamodel-code-generator', language: 'python', file: 'guide.py' },

  async install() {
    await installPython()
  },

  async generate(folder, documentFile) {
    const { command } = await installPython()
    const output = await runProgram(
      command('datamodel-codegen'),
      ['--input', documentFile, '--output', join(folder, 'lotline_models.py'), ...OPTIONS],
      // Elsewhere it would read the settings of a pyproject.toml.
      { cwd: folder },
    )
    refuseLines('datamodel-codegen', output, /warn/i)
  },

  async compile(folder) {
    const python = await installPython()
    await cp(join(PROGRAMS, 'datamodel-code-generator'), folder, { recursive: true })
    await cp(join(PROGRAMS, 'python/same.py'), join(folder, 'same.py'))
    await runProgram(python.python, ['-m', 'compileall', '-q', folder])
    await typeCheck(python, folder, ['guide.py', 'scenario.py', 'examples.py'])
  },

  async readExamples(folder, examplesFile) {
    const { python } = await installPython()
    return countRead(await runProgram(python, ['examples.py', examplesFile], { cwd: folder }))
  },

  async runScenario(folder, service) {
    const { python } = await installPython()
    return runScenarioProgram('datamodel-code-generator', service, [python, 'scenario.py'], folder)
  },
}
