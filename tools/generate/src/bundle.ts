/**
 * Makes one document of the contract's many files. The redocly CLI resolves the references; this file pins the
 * circumstances under which it does so, so that two machines get the same bytes, and leaves judging the style
 * of the contract to `redocly lint`.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Document } from './document.ts'
import { ContractError } from './faults.ts'
import { inStableOrder } from './order.ts'
import { mergeReferenceAnnotations } from './reference-annotations.ts'

const run = promisify(execFile)
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024

/**
 * The contract as one document in which every reference points inside and stands alone. Components are named by
 * their files. Rejects with the bundler's own report when a file is absent or malformed, and with a ContractError
 * when two files would share a component name or a constraint stands beside a reference.
 *
 * @param specFile path of the root document, for example `spec/openapi.yaml`
 */
export async function bundleSpec(specFile: string): Promise<Document> {
  const arguments_ = [
    redoclyProgram(),
    'bundle',
    basename(specFile),
    '--ext=json',
    '--component-renaming-conflicts-severity=off',
  ]
  const { stdout } = await run(process.execPath, arguments_, {
    // Run beside the document, away from the lint configuration, which must not colour the bundle.
    cwd: dirname(resolve(specFile)),
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    maxBuffer: MAX_BUNDLE_BYTES,
  }).catch((failure: Error & { stderr?: string }) => {
    throw new Error(`${specFile} could not be bundled.\n${failure.stderr?.trim() || failure.message}`)
  })
  const bundled = inStableOrder(JSON.parse(stdout)) as unknown as Document
  const faults = [...sharedNames(bundled), ...namesOfTwoGroups(bundled)]
  const document = mergeReferenceAnnotations(bundled, faults)
  if (faults.length > 0) throw new ContractError(faults)
  return document
}

/**
 * The bundler numbers the second of two components that share a name by the order in which it met them. No
 * client refers to an example by its name, so there it may; any other name may be part of client code.
 */
function sharedNames(document: Document): string[] {
  return Object.entries(document.components ?? {}).flatMap(([group, members]) =>
    group === 'examples'
      ? []
      : Object.keys(members)
          .filter((name) => /-\d+$/.test(name))
          .map((name) => `${group}/${name.replace(/-\d+$/, '')}: two files share this name; rename one`),
  )
}

/** Client generators make a type of each schema and of each parameter, and have one namespace for both. */
function namesOfTwoGroups({ components = {} }: Document): string[] {
  const names = Object.keys(components.schemas ?? {})
  return Object.keys(components.parameters ?? {})
    .filter((name) => names.includes(name))
    .map((name) => `parameters/${name}: a schema has this name too; rename one`)
}

function redoclyProgram(): string {
  const require = createRequire(import.meta.url)
  const packageFile = require.resolve('@redocly/cli/package.json')
  const { bin } = JSON.parse(readFileSync(packageFile, 'utf8')) as { bin: { redocly: string } }
  return resolve(dirname(packageFile), bin.redocly)
}
