import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Generator } from '../generator.ts'
import { installPython, typeCheck } from '../python.ts'
import { runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const PROGRAMS = fileURLToPath(new URL('../../programs/', import.meta.url))

export const openapiPythonClient: Generator = {
  name: 'openapi-python-client',
  needs: ['python3'],
  document: 'openapi.json',
  snippets: { heading: 'Python: openapi-python-client', language: 'python', file: 'guide.py' },

  async install() {
    await installPython()
  },

  async generate(folder, documentFile) {
    const { command } = await installPython()
    // Formatting the client afterwards changes nothing that is checked here.
    const settings = join(folder, 'settings.yaml')
    await writeFile(settings, 'post_hooks: []\n')
    await runProgram(command('openapi-python-client'), [
      'generate',
      '--path',
      documentFile,
      '--output-path',
      join(folder, 'lotline_client'),
      '--meta',
      'none',
      '--config',
      settings,
      '--fail-on-warning',
    ])
  },

  async compile(folder) {
    const python = await installPython()
    await cp(join(PROGRAMS, 'openapi-python-client'), folder, { recursive: true })
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
    return runScenarioProgram('openapi-python-client', service, [python, 'scenario.py'], folder)
  },
}
