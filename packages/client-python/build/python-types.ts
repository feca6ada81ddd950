// `node packages/client-python/build/python-types.ts` writes src/lotline/types.py, the contract's types for Python, and
// src/lotline/_details.py, which has the type of `details` for each error code. With --check it writes nothing, and fails when
// a file is not up to date.
//
// The types are TypedDicts: they describe dictionaries, cost nothing at run time, and refuse nothing. The descriptions of the
// contract follow each key as text, where editors look for them.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const CONTRACT = new URL('../../contract/src/generated/openapi.json', import.meta.url)
const TYPES = new URL('../src/lotline/types.py', import.meta.url)
const DETAILS = new URL('../src/lotline/_details.py', import.meta.url)
const KEYWORDS = new Set([
  'async',
  'class',
  'from',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'with',
  'global',
])

interface ContractSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, ContractSchema>>
  readonly required?: readonly string[]
  readonly items?: ContractSchema
  readonly anyOf?: readonly ContractSchema[]
  readonly allOf?: readonly ContractSchema[]
  readonly enum?: readonly unknown[]
  readonly 'x-extensible-enum'?: readonly string[]
  readonly additionalProperties?: boolean | ContractSchema
  readonly 'x-details-of'?: readonly string[]
}
interface ContractOperation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: ContractSchema }>> }>
  >
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ContractSchema>> }
}

/** The text of types.py. */
export function pythonTypes(contract: Contract): string {
  const { schemas } = contract.components
  const written = new Map<string, string>()
  const named = new Set(Object.keys(schemas))

  for (const [name, schema] of Object.entries(schemas)) if (!written.has(name)) writeNamed(name, schema)
  for (const operations of Object.values(contract.paths)) {
    for (const { operationId, responses } of Object.values(operations)) {
      // A path also has parameters that all its operations share.
      if (operationId) writeAnswers(operationId, responses)
    }
  }
  for (const [code, properties] of detailsByCode(contract)) {
    writeClass(detailsName(code), {
      description: `What \`error.details\` can have with the code \`${code}\`.`,
      properties,
    })
  }
  const names = [...written.keys()].sort()
  return `${HEADER}\n__all__ = [\n${names.map((name) => `    "${name}",\n`).join('')}]\n\n${[...written.values()].join('\n\n')}`

  /** A component: a class where it is an object, and otherwise another name of its type. */
  function writeNamed(name: string, schema: ContractSchema): void {
    const bases = (schema.allOf ?? []).filter(({ $ref }) => $ref).map(({ $ref }) => typeNameFromRef($ref!))
    // A base comes before what extends it, because Python reads the file from top to bottom.
    for (const base of bases) if (!written.has(base)) writeNamed(base, schemas[base]!)
    const own = schema.allOf?.find(({ properties }) => properties) ?? schema
    if (own.properties || bases.length > 0)
      writeClass(name, { ...own, description: schema.description ?? '' }, bases)
    else
      written.set(
        name,
        `${name}: TypeAlias = ${quoted(typeOf(schema, name))}\n${pythonDocstring(schema, '')}`,
      )
  }

  /** The parts of a JSON response that have no name of their own. */
  function writeAnswers(operationId: string, responses: ContractOperation['responses']): void {
    for (const [status, { content }] of Object.entries(responses)) {
      const body = content?.['application/json']?.schema
      if (!status.startsWith('2') || !body?.properties) continue
      for (const part of ['data', 'meta']) {
        const schema = body.properties[part]
        if (schema) typeOf(schema, pascal(operationId) + pascal(part))
      }
    }
  }

  function writeClass(name: string, schema: ContractSchema, bases: readonly string[] = []): void {
    const fields = Object.entries(schema.properties ?? {})
    const required = new Set(schema.required)
    const lines = [pythonDocstring(schema, '    ')]
    const odd: string[] = []
    for (const [key, field] of fields) {
      const type = typeOf(field, name + pascal(key))
      const stated = required.has(key) ? type : `NotRequired[${type}]`
      if (KEYWORDS.has(key) || !/^[A-Za-z_]\w*$/.test(key)) odd.push(`    "${key}": ${quoted(stated)},\n`)
      else lines.push(`    ${key}: ${stated}\n${pythonDocstring(described(field), '    ')}`)
    }
    const parents = [...bases, ...(odd.length > 0 ? [`_${name}`] : [])]
    // A keyword cannot be a name in a class.
    const functional = odd.length > 0 ? `_${name} = TypedDict("_${name}", {\n${odd.join('')}})\n\n\n` : ''
    const body = lines.join('') || '    pass\n'
    written.set(name, `${functional}class ${name}(${parents.join(', ') || 'TypedDict'}):\n${body}`)
  }

  /** A field that only refers to a schema has the first paragraph of that schema's description. */
  function described(field: ContractSchema): ContractSchema {
    const ref = field.$ref ?? field.anyOf?.find(({ $ref }) => $ref)?.$ref
    const text = field.description ?? (ref ? schemas[typeNameFromRef(ref)]?.description : undefined)
    return field.description || !text ? field : { ...field, description: text.trim().split('\n\n')[0]! }
  }

  function typeOf(schema: ContractSchema, hint: string): string {
    if (schema.$ref) return typeNameFromRef(schema.$ref)
    if (schema.allOf?.length === 1) return typeOf(schema.allOf[0]!, hint)
    if (schema.anyOf) return pythonUnion(schema.anyOf.map((branch) => typeOf(branch, hint)))
    const known = schema['x-extensible-enum'] ?? schema.enum
    const kinds = [schema.type ?? 'object'].flat()
    return pythonUnion(kinds.map((kind) => simpleType(kind, schema, hint, known)))
  }

  function simpleType(
    kind: string,
    schema: ContractSchema,
    hint: string,
    known?: readonly unknown[],
  ): string {
    if (kind === 'null') return 'None'
    if (known && kind === 'string') {
      const literal = `Literal[${known
        .filter((value) => value !== null)
        .map((value) => JSON.stringify(value))
        .join(', ')}]`
      // A list that may grow also accepts what a later version adds.
      return schema['x-extensible-enum'] ? `${literal} | str` : literal
    }
    if (kind === 'array') return `list[${schema.items ? typeOf(schema.items, hint) : 'Any'}]`
    if (kind !== 'object') return SIMPLE_PYTHON_TYPES[kind] ?? 'Any'
    if (!schema.properties) {
      const values = schema.additionalProperties
      return `dict[str, ${typeof values === 'object' ? typeOf(values, hint) : 'Any'}]`
    }
    const name = named.has(hint) && !written.has(hint) ? `${hint}Value` : hint
    if (!written.has(name)) writeClass(name, schema)
    return name
  }
}

/** The fields that `error.details` can have, for each code that has some. */
function detailsByCode({ components: { schemas } }: Contract): Map<string, Record<string, ContractSchema>> {
  const fields = Object.entries(schemas.Error?.properties?.error?.properties?.details?.properties ?? {})
  const codes = schemas.ErrorCode?.['x-extensible-enum'] ?? []
  const ofCode = (code: string) => fields.filter(([, field]) => field['x-details-of']?.includes(code))
  return new Map(
    codes
      .map((code) => [code, Object.fromEntries(ofCode(code))] as const)
      .filter(([code]) => ofCode(code).length > 0),
  )
}

function detailsName(code: string): string {
  return `${pascal(code)}Details`
}

/** The text of _details.py. Overloads by literals are how a type checker finds the class of a code. */
export function pythonDetails(contract: Contract): string {
  const overloads = [...detailsByCode(contract).keys()].map(
    (code) =>
      `    @overload\n    def details_of(self, code: Literal["${code}"]) -> types.${detailsName(code)} | None: ...\n`,
  )
  return `${DETAILS_HEADER}\n${overloads.join('')}${DETAILS_NAME_EXCEPTIONS}`
}

const DETAILS_HEADER = `# Generated from spec/ by \`pnpm generate\`. Edits are lost: change the contract instead.
"""The types of \`\`details\`\` by error code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from . import types


class DetailsByCode:
    code: str
    details: Any
`

const DETAILS_NAME_EXCEPTIONS = `    def details_of(self, code: str) -> Any:
        """\`\`details\`\` with the type that it has for this code. None if the error has another code, or no details."""
        return self.details if self.code == code and isinstance(self.details, dict) else None
`

const SIMPLE_PYTHON_TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

const HEADER = `# Generated from spec/ by \`pnpm generate\`. Edits are lost: change the contract instead.
"""The types of the contract: what calls return and accept, as dictionaries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias, TypedDict
else:
    from typing import TypedDict

    # At run time the annotations are text, and these names only have to exist.
    NotRequired = TypeAlias = Any
`

function typeNameFromRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

function pascal(key: string): string {
  return key.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
}

function pythonUnion(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

/** A type as text, because its names may come later in the file, and \`X | Y\` of names needs a newer Python. */
function quoted(type: string): string {
  return JSON.stringify(type).replaceAll('\\"', "'")
}

/** The description as text below its key or at the top of its class. */
function pythonDocstring({ description }: ContractSchema, indent: string): string {
  if (!description) return ''
  const text = description.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')
  const lines = text.split('\n').map((line) => (line ? indent + line : ''))
  const closing = text.endsWith('"') || lines.length > 1 ? `\n${indent}"""` : '"""'
  return `${indent}"""${lines.join('\n').trimStart()}${closing}\n\n`
}

if (import.meta.main) {
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8')) as Contract
  const files = [
    [TYPES, pythonTypes(contract)],
    [DETAILS, pythonDetails(contract)],
  ] as const
  for (const [file, text] of files) {
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error('The types of the Python client are out of date. Run `pnpm generate`.')
      process.exitCode = 1
    }
  }
}
