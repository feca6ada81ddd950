import { Command } from 'commander'
import { type Difference, findHeld, type HeldEntry, readDifference, readHeld } from '../../../data/imports.ts'
import { discardHeldImport, releaseHeldImport } from '../../../money/operator.ts'
import { operatorOf, operatorOption, wholeNumber } from '../arguments.ts'
import { CommandFailure, facts, print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

/** The exit code of a command whose import is held. */
export const EXIT_HELD = 3

export function heldCommand(): Command {
  return new Command('held')
    .description(
      'List the imports that are held: they exceed limits of their source, and wait for a decision.',
    )
    .addHelpText('after', '\nExample:\n  lotline listings held')
    .action(async (_options: object, command: Command) => {
      const held = await withDatabase(readHeld)
      const lines = table(
        ['IMPORT', 'SINCE', 'KIND', 'SOURCES', 'REASON'],
        held.map(({ id, started_at, kind, sources, findings }) => [
          id,
          started_at,
          kind,
          sources.join(', '),
          findings.map(({ text }) => text).join('; '),
        ]),
      )
      print(command, held.map(toJson), held.length > 0 ? lines : ['No import is held.'])
    })
}

export function showCommand(): Command {
  return new Command('show')
    .description('Show why an import is held, and what it would change, with examples.')
    .argument('<import>', 'its number', wholeNumber(1))
    .addHelpText('after', '\nExample:\n  lotline listings show 17')
    .action(async (id: number, _options: object, command: Command) => {
      const { held, difference } = await withDatabase(async (database) => {
        const held = await findHeld(database, id)
        if (!held) throw notHeld(id)
        return { held, difference: held.state === 'held' ? await readDifference(database, held) : undefined }
      })
      print(command, { ...toJson(held), ...(difference && differenceToJson(difference)) }, [
        ...facts([
          ['import', held.id],
          ['kind', held.kind],
          ['state', held.state],
          ['since', held.started_at],
          ['sources', held.sources.join(', ')],
          ...(held.decided_at ? [['decided', held.decided_at] as const] : []),
          ...(held.decided_by ? [['decided by', held.decided_by] as const] : []),
          ...(held.note ? [['note', held.note] as const] : []),
        ]),
        '',
        'Limits that it exceeds:',
        ...held.findings.map(({ limit, text }) => `  ${limit}: ${text}`),
        ...(difference ? linesOf(difference) : []),
      ])
    })
}

export function releaseCommand(): Command {
  return new Command('release')
    .description('Apply a held import as it is. For a feed: let its next run pass without a judgment.')
    .argument('<import>', 'its number', wholeNumber(1))
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline listings release 17')
    .action(async (id: number, _options: object, command: Command) => {
      const release = await withDatabase((database) => releaseHeldImport(database, operatorOf(command), id))
      switch (release.outcome) {
        case 'not held':
          throw notHeld(id)
        case 'next run':
          print(command, { import: id, released: true, applied_by: null }, [
            `Released import ${id}. The next run of ${release.sources.join(', ')} is not judged.`,
          ])
          return
        case 'applied': {
          const { inserted, updated, unchanged, withdrawn } = release.report
          print(
            command,
            {
              import: id,
              released: true,
              applied_by: release.importId,
              inserted,
              updated,
              unchanged,
              withdrawn,
            },
            [
              `Released import ${id}.`,
              ...facts([
                ['import', release.importId],
                ['inserted', inserted],
                ['updated', updated],
                ['unchanged', unchanged],
                ['went off the market', withdrawn],
              ]),
            ],
          )
        }
      }
    })
}

export function discardCommand(): Command {
  return new Command('discard')
    .description(
      'Drop a held import. The data set stays as it is. A feed reads the same records again and judges them again.',
    )
    .argument('<import>', 'its number', wholeNumber(1))
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline listings discard 17')
    .action(async (id: number, _options: object, command: Command) => {
      const isDiscarded = await withDatabase((database) =>
        discardHeldImport(database, operatorOf(command), id),
      )
      if (!isDiscarded) throw notHeld(id)
      print(command, { import: id, discarded: true }, [`Discarded import ${id}. Nothing was changed.`])
    })
}

function notHeld(id: number): CommandFailure {
  return new CommandFailure(`No import ${id} is held. To list those that are: lotline listings held`)
}

function toJson({
  id,
  started_at,
  counts,
  decided_at,
  decided_by,
  kind,
  state,
  sources,
  findings,
  note,
}: HeldEntry) {
  return {
    import: id,
    kind,
    state,
    sources,
    since: started_at,
    counts,
    findings,
    decided_at,
    decided_by,
    note,
  }
}

function differenceToJson({ homes, examples, maxEvents, maxCredits }: Difference) {
  return { homes, examples, max_watch_events: maxEvents, max_credits: maxCredits }
}

function linesOf({ homes, examples, maxEvents, maxCredits }: Difference): string[] {
  const changed = Object.entries(homes).filter(([, count]) => count > 0)
  return [
    '',
    'Homes that it would change:',
    ...facts([...changed, ['watch events, at most', maxEvents], ['credits, at most', maxCredits]]).map(
      (line) => `  ${line}`,
    ),
    ...(examples.length > 0 ? ['', 'Examples:'] : []),
    ...examples.map(({ zpid, change, before, after }) => `  ${zpid} ${change}${changesOf(before, after)}`),
  ]
}

function changesOf(
  before: Difference['examples'][number]['before'],
  after: Difference['examples'][number]['after'],
): string {
  if (!before || !after) return ''
  const texts = Object.keys(after).flatMap((name) =>
    before[name] === after[name] ? [] : [`${name} ${before[name] ?? 'none'} → ${after[name] ?? 'none'}`],
  )
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`
}
