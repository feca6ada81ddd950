import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { isObject, type JsonObject, type JsonValue } from './json.ts'

/** The caller asked for something that cannot be done: wrong arguments, or a file that cannot be read. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A bundled OpenAPI 3.1 document and the name that reports call it by. Its `$ref`s are followed when needed. */
export interface Contract {
  readonly name: string
  readonly root: JsonObject
  /** Keywords that declare an enum open; none unless the policy of a comparison names them. */
  readonly openEnums?: readonly string[]
}

/** @throws UsageError when the value is no OpenAPI 3.1 document */
export function toContract(name: string, value: JsonValue): Contract {
  if (!isObject(value))
    throw new UsageError(`${name} is not an OpenAPI document. Its root must be an object.`)
  const version = value.openapi
  if (typeof version !== 'string' || !version.startsWith('3.1.')) {
    throw new UsageError(
      `${name} has the OpenAPI version ${version ?? '(none)'}. Only OpenAPI 3.1 can be compared.`,
    )
  }
  if (!isObject(value.paths) && !isObject(value.webhooks)) {
    throw new UsageError(
      `${name} has neither paths nor webhooks, so there is nothing to compare. Check that it is the right file.`,
    )
  }
  return { name, root: value }
}

/**
 * The object that a node stands for: itself, or what its `$ref` leads to. Undefined when there is no node.
 * @throws UsageError when a `$ref` leads outside the document, nowhere, or in a circle
 */
export function follow(contract: Contract, node: JsonValue | undefined): JsonObject | undefined {
  const passed = new Set<string>()
  let here = node
  while (isObject(here) && typeof here.$ref === 'string') {
    if (passed.has(here.$ref))
      throw new UsageError(
        `${contract.name}: the $ref ${here.$ref} refers to itself. Remove the circular reference.`,
      )
    passed.add(here.$ref)
    here = resolveReference(contract, here.$ref)
  }
  return isObject(here) ? here : undefined
}

/**
 * What one `$ref` points at, which may be a reference again.
 * @throws UsageError when it leads outside the document or nowhere
 */
export function resolveReference(contract: Contract, reference: string): JsonValue {
  if (!reference.startsWith('#/')) {
    throw new UsageError(
      `${contract.name} refers to ${reference}, which is in another file. Bundle it first.`,
    )
  }
  let here: JsonValue | undefined = contract.root
  for (const step of reference.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    here =
      (isObject(here) || Array.isArray(here)) && Object.hasOwn(here, key)
        ? (here as JsonObject)[key]
        : undefined
  }
  if (here === undefined)
    throw new UsageError(`${contract.name}: the target of the $ref ${reference} does not exist.`)
  return here
}

/**
 * Reads a JSON or YAML file.
 * @param name what messages call it; by default the file's own path
 * @throws UsageError when the file cannot be read, or is neither
 */
export async function readJsonOrYaml(file: string, name: string = file): Promise<JsonValue> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${name} cannot be read: ${error.message}`)
  })
  try {
    // YAML 1.2 contains JSON, but its parser takes seconds for a large bundle where JSON.parse takes milliseconds.
    return file.endsWith('.json') ? JSON.parse(text) : parse(text)
  } catch (error) {
    throw new UsageError(`${name} is neither valid JSON nor valid YAML: ${(error as Error).message}`)
  }
}

/**
 * Reads a bundled OpenAPI 3.1 document, JSON or YAML.
 * @param name what reports call it; by default the file's own path
 * @throws UsageError naming the file, when it is absent, unparseable or no OpenAPI 3.1 document
 */
export async function readDocument(file: string, name: string = file): Promise<Contract> {
  return toContract(name, await readJsonOrYaml(file, name))
}

/**
 * Reads an OpenAPI 3.1 document that may be spread over several files, which `@redocly/cli` then bundles; it must be
 * installed beside the document or beside this package. Nothing is left behind.
 * @throws UsageError when it cannot be read or bundled; the bundler's own message is included
 */
export async function readSpec(file: string, name: string = file): Promise<Contract> {
  const value = await readJsonOrYaml(file, name)
  if (!refersToFiles(value)) return toContract(name, value)
  const folder = await mkdtemp(join(tmpdir(), 'schema-diff-'))
  try {
    const bundle = join(folder, 'openapi.json')
    await runBundler(file, bundle, name)
    return await readDocument(bundle, name)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function refersToFiles(node: JsonValue): boolean {
  if (Array.isArray(node)) return node.some(refersToFiles)
  if (!isObject(node)) return false
  if (typeof node.$ref === 'string' && !node.$ref.startsWith('#')) return true
  return Object.values(node).some(refersToFiles)
}

async function runBundler(file: string, bundle: string, name: string): Promise<void> {
  const bundler = findBundler(file)
  if (bundler === undefined) {
    throw new UsageError(
      `${name} consists of several files and must be bundled. Install @redocly/cli, or bundle it first.`,
    )
  }
  const env = { ...environmentOfBundler(), REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const arguments_ = [bundler, 'bundle', resolve(file), '--output', bundle]
  await promisify(execFile)(process.execPath, arguments_, { env }).catch(
    (error: Error & { stderr?: string }) => {
      throw new UsageError(`${name} cannot be bundled:\n${error.stderr?.trim() || error.message}`)
    },
  )
}

/** What a Node program needs to run. Nothing else is passed on: the environment of a build may hold its secrets. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'NODE_EXTRA_CA_CERTS',
]

function environmentOfBundler(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function findBundler(file: string): string | undefined {
  for (const from of [pathToFileURL(resolve(file)).href, import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve('@redocly/cli/package.json')
      return join(dirname(manifest), 'bin', 'cli.js')
    } catch {
      // Not installed there.
    }
  }
  return undefined
}

/**
 * The file to compare with: the given one, or that of the highest version in a folder of releases, which are named
 * `<major>.<minor>.<patch>.json`.
 * @throws UsageError when there is no such file or folder, or the folder has no release
 */
export async function findBase(fileOrFolder: string): Promise<string> {
  const found = await stat(fileOrFolder).catch((error: Error) => {
    throw new UsageError(`${fileOrFolder} cannot be read: ${error.message}`)
  })
  if (!found.isDirectory()) return fileOrFolder
  const versions = (await readdir(fileOrFolder))
    .map((name) => /^(\d+)\.(\d+)\.(\d+)\.json$/.exec(name))
    .filter((match) => match !== null)
    .sort((a, b) => Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3]))
  const last = versions.at(-1)
  if (last) return join(fileOrFolder, last[0])
  throw new UsageError(`No release found in ${fileOrFolder}. It must contain a file such as 1.0.0.json.`)
}

/** An operation and the path item that it stands in, which may hold parameters for all its operations. */
export interface OperationInPath {
  readonly item: JsonObject
  readonly operation: JsonObject
}
