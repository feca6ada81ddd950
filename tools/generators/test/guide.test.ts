// The guide "Other languages" shows programs, settings, and commands. generators.test.ts compiles the programs of each section with
// the client of its generator; here nothing in the guide may escape that.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GENERATORS } from '../src/generators.ts'
import { readSnippets } from '../src/guide.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const SOURCES = [
  'openapi-python-client',
  'datamodel-code-generator',
  'oapi-codegen',
  'openapi-typescript',
  'openapi-generator-python',
  'openapi-generator-java',
].map((name) => read(`src/generators/${name}.ts`))

/** What is a command or a setting is tested below, or fetches the document. */
const NO_PROGRAMS = ['console', 'yaml', 'sh']

const snippets = await readSnippets()
const programs = snippets.filter(({ language }) => !NO_PROGRAMS.includes(language))

it('every program in the guide is in the section of a generator that compiles it', () => {
  expect(programs.length).toBeGreaterThan(6)
  const compiled = GENERATORS.map((one) => `${one.snippets.heading}: ${one.snippets.language}`)
  const shown = programs.map(({ heading, language }) => `${heading}: ${language}`)
  expect(shown.filter((place) => !compiled.includes(place))).toEqual([])
  expect(compiled.filter((place) => !shown.includes(place))).toEqual([])
})

it('every program in the guide shows how to distinguish rows from a job', () => {
  for (const { snippets: place } of GENERATORS) {
    const code = programs.filter(({ heading }) => heading === place.heading).map((one) => one.code)
    expect(code.join('\n'), place.heading).toMatch(/job.*\n(.*\n)*.*rows|rows.*\n(.*\n)*.*job/)
  }
})

it('the settings in the guide are the ones that the checks use', () => {
  const withoutComments = read('programs/oapi-codegen/oapi-codegen.yaml').replaceAll(/^ *#.*\n/gm, '')
  expect(snippets.filter(({ language }) => language === 'yaml').map(({ code }) => code)).toEqual([
    withoutComments,
  ])
})

it('every command option in the guide is one that the checks use', () => {
  const sources = [...SOURCES, read('src/openapi-generator.ts')].join('\n')
  const commands = snippets.filter(({ language }) => language === 'console').map(({ code }) => code)
  const options = commands.flatMap((code) => code.match(/--[\w-]+|\S+@v[\d.]+/g) ?? [])
  expect(options.length).toBeGreaterThan(6)
  expect(options.filter((option) => !sources.includes(option))).toEqual([])
})
