// The guide "Other languages" shows parts of the programs and settings that the checks run. A line that they do not have is a
// line that was not tried.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const trimmed = (text: string) => text.split('\n').map((line) => line.trim())

/** For each language of a code block, what its lines must be found in. */
const TRIED: Readonly<Record<string, string>> = {
  python: ['openapi-python-client', 'datamodel-code-generator', 'openapi-generator-python']
    .map((name) => read(`programs/${name}/scenario.py`))
    .join('\n'),
  java: read('programs/openapi-generator-java/common/Scenario.java'),
  go: read('programs/oapi-codegen/scenario/main.go'),
  typescript: read('programs/openapi-typescript/scenario.ts'),
  yaml: read('programs/oapi-codegen/oapi-codegen.yaml'),
}
const SOURCES = [
  ...['openapi-python-client', 'datamodel-code-generator', 'oapi-codegen', 'openapi-typescript'],
  ...['openapi-generator-python', 'openapi-generator-java'],
].map((name) => read(`src/generators/${name}.ts`))

const blocks = [...read('../../apps/api/guides/other-languages.md').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
  ([, lang, code]) => ({ lang: lang!, code: code! }),
)

it.each(Object.keys(TRIED))('every line of %s in the guide is part of what the checks run', (lang) => {
  const tried = trimmed(TRIED[lang]!)
  const lines = blocks.filter((block) => block.lang === lang).flatMap(({ code }) => trimmed(code))
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.filter((line) => !tried.includes(line))).toEqual([])
})

it('every option of a command in the guide is one that the checks use', () => {
  const sources = [...SOURCES, read('src/openapi-generator.ts')].join('\n')
  const commands = blocks.filter(({ lang }) => lang === 'console').map(({ code }) => code)
  const options = commands.flatMap((code) => code.match(/--[\w-]+|\S+@v[\d.]+/g) ?? [])
  expect(options.length).toBeGreaterThan(6)
  expect(options.filter((option) => !sources.includes(option))).toEqual([])
})
