// The words of STYLE.md that a pattern can judge: type names that are a bare participle, type names that are declared twice, and sentences of
// comments and names of tests that begin with a clause without a noun. What was there before the law is counted in a list that only shrinks.

import { placeOf, testPlaceOf } from './folders.ts'
import { type Breach, lineAt, type Source } from './source.ts'
import { readTokens } from './texts.ts'
import type { Token } from './tokens.ts'
import { codeOf, type Law, type Plant, type Tree } from './tree.ts'

export const BASELINE_FILE = 'tools/tidy/baseline/words.json'

/** How many breaches of each kind there may be: by file, or by name for type names that are declared twice. */
export type Baseline = Readonly<Record<Kind, Readonly<Record<string, number>>>>
type Kind = 'participles' | 'sameNames' | 'commentClauses' | 'testClauses'

interface Found extends Breach {
  /** The key under which the finding is counted. */
  readonly key: string
}

const RULES: Readonly<Record<Kind, string>> = {
  participles: 'a type is named by a noun, not by a bare participle',
  sameNames: 'a type name means one thing in the whole repository',
  commentClauses: 'a sentence of a comment begins with its subject',
  testClauses: 'the name of a test begins with its subject',
}

const TYPE =
  /(?<=^|[;{}\s])(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:interface|class|type|enum)\s+([A-Z][\w$]*)(?=\s*(?:[<={]|extends\b|implements\b))/gm
const PARTICIPLE =
  /^(?:[A-Z][a-z]+(?<!Fe|Se|Ne|Spe|Bre|Ble|Exce|Proce|Succe|Indee|Wee|Dee|Gree)ed|[A-Z][a-z]*(?:ought|aught|epaid)|Begun|Bound|Broken|Built|Chosen|Cut|Done|Drawn|Driven|Fallen|Found|Given|Gone|Grown|Heard|Held|Hidden|Kept|Known|Laid|Left|Lost|Made|Meant|Met|Paid|Put|Said|Seen|Sent|Shown|Sold|Spent|Spoken|Sprung|Stolen|Stood|Sworn|Taken|Thrown|To[l]d|Torn|Understood|Won|Worn|Written)$/
/** The head of a sentence that is a clause: who, what, or where stands for the noun that is not there. */
const CLAUSE =
  /^(?:Who(?:so|m)?(?:ever)?|Whose|What(?:ever)?|Where(?:ver)? (?:it|they|he|she|this|that)\b[^,]*|Nobody|Somebody|Anybody|So (?:many|much|few)|As (?:many|much|few)|Such(?! as\b)|That which|Those (?:who|that|which)|None(?= of them)|None)\b/

function findParticiples({ sources }: Tree): Found[] {
  return typesOf(sources)
    .filter(({ name }) => PARTICIPLE.test(name))
    .map(({ file, line, name }) => ({ file, line, key: keyOf(file), rule: `${RULES.participles}: ${name}` }))
}

function findSameNames({ sources }: Tree): Found[] {
  const byName = Map.groupBy(
    typesOf(sources).filter(({ file }) => /^(?:apps|packages)\/[^/]+\/src\//.test(file)),
    ({ name }) => name,
  )
  return [...byName].flatMap(([name, all]) => {
    const files = [...new Set(all.map(({ file }) => file))].toSorted()
    return files.length < 2
      ? []
      : files.map((file) => ({
          file,
          line: all.find((one) => one.file === file)!.line,
          key: name,
          rule: `${RULES.sameNames}: ${name} is declared in ${files.length} files`,
        }))
  })
}

function typesOf(sources: readonly Source[]): { file: string; line: number; name: string }[] {
  return sources
    .filter(({ file }) => /^(?:apps|packages|tools)\/.*\.[cm]?ts$/.test(file))
    .flatMap((source) =>
      [...codeOf(source).matchAll(TYPE)].map(({ index, 0: whole, 1: name }) => ({
        file: source.file,
        name: name!,
        line: lineAt(source.text, index + whole.length),
      })),
    )
}

function findCommentClauses({ sources }: Tree): Found[] {
  return sources
    .filter(({ file }) => /^(?:apps|packages|tools)\/.*\.[cm]?[jt]s$/.test(file))
    .flatMap((source) =>
      commentsOf(readTokens(source)).flatMap(({ index, text }) =>
        sentencesOf(text)
          .filter((sentence) => CLAUSE.test(sentence) && !sentence.endsWith('?'))
          .map((sentence) => ({
            file: source.file,
            line: lineAt(source.text, index),
            key: keyOf(source.file),
            rule: `${RULES.commentClauses}: "${sentence.split(' ').slice(0, 3).join(' ')} …"`,
          })),
      ),
    )
}

function findTestClauses({ sources }: Tree): Found[] {
  return sources
    .filter(({ file }) => /\.test\.[cm]?ts$/.test(file))
    .flatMap((source) => {
      const code = readTokens(source).filter(({ kind }) => kind !== 'comment')
      return code.flatMap((token, at): Found[] => {
        if (token.kind !== 'text' && token.kind !== 'template') return []
        if (code[at - 1]?.raw !== '(' || !isTestCall(code, at - 2)) return []
        const name = token.raw.slice(1, -1)
        if (!CLAUSE.test(name.slice(0, 1).toUpperCase() + name.slice(1))) return []
        const line = lineAt(source.text, token.index)
        return [
          {
            file: source.file,
            line,
            key: keyOf(source.file),
            rule: `${RULES.testClauses}: "${name.split(' ').slice(0, 3).join(' ')} …"`,
          },
        ]
      })
    })
}

/** `it(`, `test.each(…)(`, or `describe.for(…)(`. */
function isTestCall(code: readonly Token[], before: number): boolean {
  let at = before
  if (code[at]?.raw === ')') {
    for (let depth = 0; at >= 0; at--) {
      if (code[at]!.raw === ')') depth++
      if (code[at]!.raw === '(' && --depth === 0) break
    }
    at--
  }
  while (code[at - 1]?.raw === '.') at -= 2
  return /^(?:it|test|describe)$/.test(code[at]?.raw ?? '')
}

/** Comments, lines that follow each other as one, without their marks. */
function commentsOf(tokens: readonly Token[]): { index: number; text: string }[] {
  const comments: { index: number; text: string; isLine: boolean }[] = []
  let last: Token | undefined
  for (const token of tokens) {
    if (token.kind === 'comment') {
      const isLine = token.raw.startsWith('//')
      const text = isLine ? token.raw.slice(2) : token.raw.slice(2, -2).replace(/^\s*\*+ ?/gm, '')
      const joined =
        isLine && last?.kind === 'comment' && comments.at(-1)?.isLine ? comments.at(-1)! : undefined
      if (joined) joined.text += `\n${text}`
      else comments.push({ index: token.index, text, isLine })
    }
    last = token
  }
  return comments
}

function sentencesOf(comment: string): string[] {
  return comment
    .replace(/^\s*\*?\s*@\w+\s+\S+/gm, '. ')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.:;?!]) (?=[A-Z])/)
    .map((sentence) => sentence.trim())
}

/** A file that moves into a module keeps its place in the list. */
function keyOf(file: string): string {
  const [place, testPlace] = [placeOf(file), testPlaceOf(file)]
  if (place !== undefined) return `api: ${place}`
  return testPlace === undefined ? file : `api tests: ${testPlace}`
}

const FINDERS: Readonly<Record<Kind, (tree: Tree) => Found[]>> = {
  participles: findParticiples,
  sameNames: findSameNames,
  commentClauses: findCommentClauses,
  testClauses: findTestClauses,
}
const KINDS = Object.keys(FINDERS) as Kind[]

/** The counts as the tree has them. */
export function countWords(tree: Tree): Baseline {
  const counts = KINDS.map((kind) => {
    const byKey = Map.groupBy(FINDERS[kind](tree), ({ key }) => key)
    return [
      kind,
      Object.fromEntries(
        [...byKey].map(([key, all]) => [key, all.length] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    ]
  })
  return Object.fromEntries(counts)
}

/** What a new list would have more of than the old one, over all files: a list may only shrink, and files may move. */
export function grownKinds(before: Baseline, after: Baseline): string[] {
  const sum = (counts: Readonly<Record<string, number>> = {}) =>
    Object.values(counts).reduce((a, b) => a + b, 0)
  return KINDS.filter((kind) => sum(after[kind]) > sum(before[kind])).map(
    (kind) => `${RULES[kind]}: ${sum(after[kind])} breaches, and the list has ${sum(before[kind])}`,
  )
}

function readBaseline({ files, read }: Tree): Baseline | undefined {
  return files.includes(BASELINE_FILE) ? JSON.parse(read(BASELINE_FILE)) : undefined
}

/** All breaches under a key that has more of them than the list. */
function beyondBaseline(kind: Kind, tree: Tree): Breach[] {
  const allowed = readBaseline(tree)?.[kind] ?? {}
  const byKey = Map.groupBy(FINDERS[kind](tree), ({ key }) => key)
  return [...byKey].flatMap(([key, found]) =>
    found.length > (allowed[key] ?? 0) ? found.map(({ file, line, rule }) => ({ file, line, rule })) : [],
  )
}

const plant = (what: string, name: string, text: string): Plant => ({
  what,
  file: `packages/contract/${name}.ts`,
  text,
})
const PLANTS: Readonly<Record<Kind, readonly Plant[]>> = {
  participles: [
    plant('a regular one', 'src/plant-placed', 'interface Placed {}'),
    plant('an irregular one', 'src/plant-begun', 'type Begun = {}'),
    plant('a class', 'src/plant-guessed', 'class Guessed {}'),
  ],
  sameNames: [
    {
      ...plant('two files', 'src/plant-twice', 'interface PlantedTwice {}'),
      with: { 'packages/mock/src/plant-twice.ts': 'export type PlantedTwice = string' },
    },
  ],
  commentClauses: [
    plant('a line', 'src/plant-who', '// Who asks first is answered first.'),
    plant('a docstring', 'src/plant-what', '/** Waits. What is left\n * is removed. */'),
    plant('behind code', 'src/plant-many', 'run() // So many wait.'),
  ],
  testClauses: [
    plant('a test', 'test/plant-who.test', "it('who has no key is refused', run)"),
    plant('one with a table', 'test/plant-what.test', "test.each([[1], [2]])('what is sold %i', run)"),
    plant('a group', 'test/plant-where.test', "describe('where it is not listed', run)"),
  ],
}

export const WORD_LAWS: readonly Law[] = KINDS.map((kind) => ({
  rule: RULES[kind],
  check: (tree) => beyondBaseline(kind, tree),
  plants: PLANTS[kind],
}))
