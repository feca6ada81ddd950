import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContractExample } from '../examples.ts'
import type { Generator } from '../generator.ts'
import { go, installGoTool } from '../go.ts'
import { refuseLines, runProgram } from '../run-program.ts'
import { countRead, runScenarioProgram } from '../run-scenario.ts'

const PROGRAMS = fileURLToPath(new URL('../../programs/oapi-codegen/', import.meta.url))
const TOOL = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'

export const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  needs: ['go'],
  document: 'openapi.json',
  snippets: { heading: 'Go: oapi-codegen', language: 'go', file: 'guide/main.go' },

  async install() {
    await installGoTool('oapi-codegen', TOOL)
  },

  async generate(folder, documentFile) {
    const command = await installGoTool('oapi-codegen', TOOL)
    await cp(PROGRAMS, folder, { recursive: true })
    await mkdir(join(folder, 'lotline'))
    const output = await runProgram(command, ['--config', 'oapi-codegen.yaml', documentFile], { cwd: folder })
    refuseLines('oapi-codegen', output, /\S/)
  },

  async compile(folder, examples) {
    await writeFile(join(folder, 'examples/operations.go'), operationsFile(examples))
    await go(['build', '-o', 'bin/', './examples', './guide', './scenario'], folder)
    await go(['vet', './examples', './guide', './scenario'], folder)
  },

  async readExamples(folder, examplesFile) {
    return countRead(await runProgram(join(folder, 'bin/examples'), [examplesFile]))
  },

  runScenario: (folder, service) =>
    runScenarioProgram('oapi-codegen', service, [join(folder, 'bin/scenario')], folder),
}

/** Go finds no function by its name, so the tables from operation to function are written out. */
function operationsFile(examples: readonly ContractExample[]): string {
  const idsOf = (isOfKind: (kind: ContractExample['kind']) => boolean) => [
    ...new Set(examples.filter(({ kind }) => isOfKind(kind)).map(({ operationId }) => operationId)),
  ]
  const capital = (id: string) => id[0]!.toUpperCase() + id.slice(1)
  const parsers = idsOf((kind) => kind === 'response').map(
    (id) => `\tcase "${id}":\n\t\treturn lotline.Parse${capital(id)}Response(response)`,
  )
  const bodies = idsOf((kind) => kind !== 'response').map(
    (id) => `\tcase "${id}":\n\t\treturn new(lotline.${capital(id)}JSONRequestBody)`,
  )
  return `package main

import (
	"net/http"

	"lotline.example/client/lotline"
)

func parseResponse(operation string, response *http.Response) (any, error) {
	switch operation {
${parsers.join('\n')}
	}
	panic(operation)
}

func newBody(operation string) any {
	switch operation {
${bodies.join('\n')}
	}
	panic(operation)
}
`
}
