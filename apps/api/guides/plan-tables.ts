// `node apps/api/guides/plan-tables.ts` writes the figures of the plans into the contract and the guide on authentication,
// from accounts/plans.ts, where they are written once. With --check it writes nothing, and fails when one of them is
// not up to date.

import { readFileSync, writeFileSync } from 'node:fs'
import { PLANS, type PlanDefinition, plans } from '../src/money/accounts/plans.ts'

const CONTRACT = new URL('../../../spec/schemas/PlanId.yaml', import.meta.url)
const GUIDE = new URL('authentication.md', import.meta.url)

/** Lines of one kind, one for each plan, which stand together below their first one. */
interface Block {
  readonly file: URL
  /** How the first of the lines begins that are replaced, without its indentation. */
  readonly first: string
  readonly lines: readonly string[]
}

const BLOCKS: readonly Block[] = [
  {
    file: CONTRACT,
    first: '- `free`: ',
    lines: PLANS.map((id) => `- \`${id}\`: ${inWords(id, plans[id])}.`),
  },
  { file: CONTRACT, first: '| `free` |', lines: limits((bytes) => bytes.toLocaleString('en-US')) },
  { file: GUIDE, first: '| free |', lines: PLANS.map((id) => row(id, ...callsAndCredits(id, plans[id]))) },
  { file: GUIDE, first: '| `free` |', lines: limits(inBytes) },
]

function inWords(id: string, plan: PlanDefinition): string {
  if (id === 'custom') return 'figures agreed with the operator of the service'
  const credits = `${count(plan.creditsPerCycle)} credits ${cycle(plan, 'at the start of each year')}`
  return `${credits}, ${plan.rateLimitPerMinute} requests per minute${plan.topUps ? '' : ', no top-ups'}`
}

function callsAndCredits(id: string, plan: PlanDefinition): [calls: string, credits: string] {
  if (id === 'custom') return ['as agreed', 'as agreed']
  const separator = plan.cycleMonths === null ? ', ' : ' '
  const credits = `${count(plan.creditsPerCycle)}${separator}${cycle(plan, 'a year, at its beginning')}`
  return [String(plan.rateLimitPerMinute), credits]
}

function cycle({ cycleMonths }: PlanDefinition, yearly: string): string {
  return cycleMonths === null ? 'once' : cycleMonths === 1 ? 'a month' : yearly
}

function limits(bytes: (value: number) => string): string[] {
  return PLANS.map((id) => {
    const plan = plans[id]
    const counts = [
      plan.failedLookupsPerMinute,
      plan.failedLookupsPerDay,
      plan.maxOpenJobs,
      plan.maxStoredRows,
    ]
    const watches = [plan.maxWatches, plan.maxWatchMatches, plan.watchQueriesPerHour].map(count)
    return row(`\`${id}\``, ...counts.map(count), bytes(plan.maxStoredBytes), ...watches)
  })
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

function inBytes(value: number): string {
  return value >= 1e9 ? `${value / 1e9} GB` : `${value / 1e6} MB`
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** The text with the lines of the block as they have to be. */
export function withBlock(text: string, { first, lines }: Pick<Block, 'first' | 'lines'>): string {
  const all = text.split('\n')
  const at = all.findIndex((line) => line.trimStart().startsWith(first))
  if (at === -1) throw new Error(`there is no line that begins with ${first}`)
  const start = all[at]!
  const indentation = start.slice(0, start.length - start.trimStart().length)
  const isOfBlock = (line: string | undefined) => line?.startsWith(`${indentation}${first[0]}`)
  let end = at
  while (isOfBlock(all[end])) end += 1
  return [...all.slice(0, at), ...lines.map((line) => indentation + line), ...all.slice(end)].join('\n')
}

/** The files that are not up to date, with their text as it has to be. */
export function findOutdated(): { readonly file: URL; readonly text: string }[] {
  return [CONTRACT, GUIDE].flatMap((file) => {
    const before = readFileSync(file, 'utf8')
    const text = BLOCKS.filter((block) => block.file === file).reduce(withBlock, before)
    return text === before ? [] : [{ file, text }]
  })
}

if (import.meta.main) {
  for (const { file, text } of findOutdated()) {
    if (process.argv.includes('--check')) {
      console.error(`The plans in ${file.pathname} are not up to date: node apps/api/guides/plan-tables.ts`)
      process.exitCode = 1
    } else {
      writeFileSync(file, text)
    }
  }
}
