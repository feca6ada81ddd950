// openapi-typescript: types only, used with openapi-fetch.

import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContractExample } from '../examples.ts'
import type { Generator } from '../generator.ts'
import { refuseLines, runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAMS = join(PACKAGE, 'programs/openapi-typescript')
const COMMAND = join(PACKAGE, 'node_modules/openapi-typescript/bin/cli.js')
const TSC = join(PACKAGE, '../../node_modules/typescript/bin/tsc')

/** Otherwise a request field with a default is required. */
const OPTIONS = ['--default-non-nullable', 'false']

export const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  needs: [],
  document: 'openapi.json',
  snippets: { heading: 'TypeScript types: openapi-typescript', language: 'typescript', file: 'guide.ts' },

  async install() {},

  async generate(folder, documentFile) {
    const schema = join(folder, 'schema.ts')
    const output = await runProgram(
      process.execPath,
      [COMMAND, documentFile, '--output', schema, ...OPTIONS],
      {
        // Elsewhere it would read the settings of this repository.
        cwd: folder,
      },
    )
    refuseLines('openapi-typescript', output, /warn|⚠/i)
  },

  async compile(folder, examples) {
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(PACKAGE, 'node_modules/openapi-fetch'), join(folder, 'node_modules/openapi-fetch'))
    await cp(PROGRAMS, folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'examples.ts'), examplesProgram(examples))
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(PACKAGE, '../../tsconfig.base.json'),
        compilerOptions: {
          noEmit: false,
          outDir: 'out',
          rootDir: '.',
          skipLibCheck: true,
          types: ['node'],
          typeRoots: [join(PACKAGE, '../../node_modules/@types')],
        },
        include: ['*.ts'],
      }),
    )
    await runProgram(process.execPath, [TSC, '-p', folder])
  },

  async readExamples(folder) {
    return countRead(await runProgram(process.execPath, [join(folder, 'out/examples.js')]))
  },

  runScenario: (folder, service) =>
    runScenarioProgram(
      'openapi-typescript',
      service,
      [process.execPath, join(folder, 'out/scenario.js')],
      folder,
    ),
}

/** A program that compiles only when each example has its generated type. */
function examplesProgram(examples: readonly ContractExample[]): string {
  const assignments = examples.map(
    (example, at) => `const example${at}: ${typeOf(example)} = ${JSON.stringify(example.value)}`,
  )
  return [
    "import type { operations } from './schema.ts'",
    ...assignments,
    `const all: readonly unknown[] = [${examples.map((_, at) => `example${at}`).join(', ')}]`,
    `console.log(\`read \${all.length}\`)`,
  ].join('\n')
}

function typeOf({ kind, operationId, status }: ContractExample): string {
  const operation = `operations['${operationId}']`
  return kind === 'response'
    ? `${operation}['responses'][${status}]['content']['application/json']`
    : `NonNullable<${operation}['requestBody']>['content']['application/json']`
}
