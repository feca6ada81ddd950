// One generator through all of its steps, against one running service.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyWorkFolder } from './cache.ts'
import { collectExamples } from './examples.ts'
import { type Generator, SCENARIO_STEPS } from './generator.ts'
import { writeSnippets } from './guide.ts'
import type { RunningService } from './running-service.ts'
import { addUnknownValues } from './unknown-values.ts'

export interface GeneratorReport {
  readonly examples: number
  readonly steps: readonly string[]
}

/** Throws at the first step that fails, with the output of the tool. */
export async function checkGenerator(
  generator: Generator,
  service: RunningService,
): Promise<GeneratorReport> {
  const [folder, text, contract] = await Promise.all([
    emptyWorkFolder(generator.name),
    service.readDocument(generator.document),
    // Only this one has the webhooks, whose examples every client must be able to read.
    service.readDocument('openapi.json'),
    generator.install(),
  ])
  const documentFile = join(folder, generator.document)
  await writeFile(documentFile, text)
  await generator.generate(folder, documentFile)
  await writeSnippets(generator, folder)

  const document = JSON.parse(contract)
  const examples = addUnknownValues(document, collectExamples(document))
  const examplesFile = join(folder, 'examples.json')
  await writeFile(examplesFile, JSON.stringify(examples))
  await generator.compile(folder, examples)

  const read = await generator.readExamples(folder, examplesFile)
  if (read !== examples.length) throw new Error(`${read} of ${examples.length} examples were read.`)

  const steps = await generator.runScenario(folder, service)
  const missing = SCENARIO_STEPS.filter((step) => !steps.includes(step))
  if (missing.length > 0) throw new Error(`The scenario did not reach: ${missing.join(', ')}.`)
  return { examples: read, steps }
}
