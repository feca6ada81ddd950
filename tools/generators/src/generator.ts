// What a generator is to the checks: five steps, each of which throws with the output of the tool when it fails.

import type { ContractExample } from './examples.ts'
import type { DocumentName, RunningService } from './running-service.ts'

export interface Generator {
  /** Used in file names, by `--only`, and in the reports. */
  readonly name: string
  /** Programs that must be on PATH. Without them the generator is skipped, or fails under LOTLINE_NO_SKIP=1. */
  readonly needs: readonly string[]
  /** Runs only with `--all`, `--only` or `pnpm test:full`. */
  readonly slow?: boolean
  /** The document that is generated from. */
  readonly document: DocumentName
  /** The code of the guide "Other languages" about this generator, and the file that it is compiled as. */
  readonly snippets: { readonly heading: string; readonly language: string; readonly file: string }
  /** Installs the generator and the libraries of its client into the cache. Does nothing when they are there. */
  install(): Promise<void>
  /** Generates a client below `folder`. Throws when the generator prints a warning. */
  generate(folder: string, documentFile: string): Promise<void>
  /** Compiles or type checks what was generated, together with the code of the guide and the programs of the next two steps. */
  compile(folder: string, examples: readonly ContractExample[]): Promise<void>
  /** Reads each example into the generated types. Returns the number of examples read; throws when one cannot be read. */
  readExamples(folder: string, examplesFile: string): Promise<number>
  /** Makes the calls of the scenario with the generated client. Returns the names of the steps that succeeded. */
  runScenario(folder: string, service: RunningService): Promise<readonly string[]>
}

/** The steps of a scenario, in order. Each program prints `ok <step>` after it has asserted the result. */
export const SCENARIO_STEPS = [
  'get',
  'by-address',
  'search',
  'rows-or-job',
  'watch',
  'batch',
  'webhook',
  'out-of-credits',
  'not-found',
  'rate-limited',
] as const
