// Why: decisions/data/sync-in-the-trail.md

import { Command } from 'commander'
import { ImportHeld } from '../../data/imports.ts'
import {
  countSource,
  findConnected,
  pauseSource,
  readStatus,
  readUnknownLookups,
  removeSource,
  resumeSource,
  type SourceStatus,
  type SyncResult,
  syncSource,
} from '../../data/replication.ts'
import { readConfig } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { recordAction, runAsOperator } from '../../money/operator.ts'
import { operatorOf, operatorOption, wholeNumber } from './arguments.ts'
import { confirm, YES } from './confirm.ts'
import { EXIT_HELD } from './listings/held.ts'
import { CommandFailure, facts, print, table } from './print.ts'
import { addCommand, trailOf } from './sources/add.ts'
import { checkCommand } from './sources/check.ts'
import { requireConnected, unknownSource } from './sources/connected.ts'
import { withDatabase } from './with-database.ts'

export function sourcesCommand(): Command {
  return new Command('sources')
    .description(
      'Connect sources of listings that the service keeps up to date: feeds that speak the RESO Web API, and files on a ' +
        'schedule.',
    )
    .addCommand(addCommand())
    .addCommand(checkCommand())
    .addCommand(listCommand())
    .addCommand(statusCommand())
    .addCommand(syncCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(removeCommand())
}

function listCommand(): Command {
  return new Command('list')
    .description('List the connected sources and how current they are.')
    .addHelpText('after', '\nExample:\n  lotline sources list')
    .action(async (_options: object, command: Command) => {
      const statuses = await withDatabase(readStatus)
      const lines = table(
        ['SOURCE', 'KIND', 'STATE', 'RECORDS', 'LAG', 'SYNCED', 'NEXT'],
        statuses.map(({ source, state, lagSeconds }) => [
          source.name,
          source.settings.kind,
          state,
          source.counts.records ?? 0,
          lagSeconds === null ? null : shortTime(lagSeconds),
          source.syncedAt,
          source.dueAt,
        ]),
      )
      print(command, statuses.map(toJson), statuses.length > 0 ? lines : ['There are none.'])
    })
}

function statusCommand(): Command {
  return new Command('status')
    .description(
      'Show how current a source is, what it holds, what is held back, and the calls that it has used.',
    )
    .argument('<name>', 'the source')
    .addHelpText('after', '\nExample:\n  lotline sources status metro')
    .action(async (name: string, _options: object, command: Command) => {
      const { status, counts, unknown } = await withDatabase(async (database) => {
        await requireConnected(database, name)
        const all = await readStatus(database)
        return {
          status: all.find(({ source }) => source.name === name)!,
          counts: await countSource(database, name),
          unknown: await readUnknownLookups(database, name, 20),
        }
      })
      const { source, quotas, lagSeconds } = status
      print(command, { ...toJson(status), ...counts, unknown_lookup_values: unknown }, [
        ...facts([
          ['state', status.state],
          ...heldFacts(status),
          ['last success', source.syncedAt],
          ['next run', source.pausedAt === null ? source.dueAt : 'paused'],
          ['newest change applied', status.newest],
          ['lag', lagSeconds === null ? null : shortTime(lagSeconds)],
          ['records', counts.records],
          ['withdrawn', counts.withdrawn],
          ['held back by rights', counts.withheld],
          ['rejected', counts.rejected],
          ['unknown lookups', counts.unknown_lookups],
          ['linked to other sources', counts.linked],
          ...completenessOf(source),
          ...quotas.map(
            ({ window, unit, used, limit }) =>
              [`${unit} in ${shortTime(window)}`, `${used} of ${limit}`] as const,
          ),
          ...(status.blockedUntil ? [['no calls before', status.blockedUntil] as const] : []),
          ...(source.failures > 0 ? [[`failed ${source.failures} times`, source.lastError] as const] : []),
        ]),
        ...unknown.map(({ field, value, records }) => `  ${field}: ${value} (${records} records)`),
      ])
    })
}

/** The held import, until a person has decided. */
function heldFacts({ held }: SourceStatus): readonly (readonly [string, unknown])[] {
  if (!held) return []
  return [
    ['held import', held.id],
    ['held because', held.findings.map(({ text }) => text).join('; ')],
    ['to decide', `lotline listings release ${held.id}, or lotline listings discard ${held.id}`],
  ]
}

function syncCommand(): Command {
  return new Command('sync')
    .description('Synchronize a source now, and wait until it is done.')
    .argument('<name>', 'the source')
    .option('--full', 'read everything anew, and compare all keys of the feed')
    .option(
      '--allow-removals <n>',
      'allow up to this many homes to go off the market, or to be removed or hidden by unreadable values of a file, even if they are more than the limit',
      wholeNumber(1),
    )
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
A run that is interrupted continues where it stopped. Use --full after a change of the mapping.

Examples:
  lotline sources sync metro
  lotline sources sync metro --full`,
    )
    .action(async (name: string, options: { full?: boolean; allowRemovals?: number }, command: Command) => {
      const result = await withDatabase(async (database) => {
        await requireConnected(database, name)
        const { full, allowRemovals } = options
        const operator = operatorOf(command)
        const asked = { full: full === true, allow_removals: allowRemovals }
        // Each page has its own transaction. The trail records the start before the first page, and the end of every run that this process
        // completes.
        await recordAction(database, operator, {
          action: 'sources.sync',
          object: name,
          after: { outcome: 'started', ...asked },
        })
        const result = (await syncSource(database, name, {
          ...(full !== undefined && { full }),
          ...(allowRemovals !== undefined && { allowRemovals }),
          dataDir: readConfig().dataDir,
          onPage: ({ read, pages }) => {
            if (process.stderr.isTTY) process.stderr.write(`\r${read} records, ${pages} pages`)
          },
        }))!
        await recordAction(database, operator, {
          action: 'sources.sync',
          object: name,
          before: { outcome: 'started' },
          after: endOf(result),
        })
        return result
      })
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
      switch (result.outcome) {
        case 'busy':
          throw new CommandFailure(`Another process synchronizes ${name} now.`)
        case 'postponed':
          throw new CommandFailure(
            `The limits of the server allow the next call at ${result.until.toISOString()}. The source continues then.`,
          )
        case 'failed':
          throw new CommandFailure(result.reason, result.error instanceof ImportHeld ? EXIT_HELD : 1)
        case 'synced': {
          const { total } = result
          print(command, { source: name, ...total }, [
            `Synchronized ${name}.`,
            ...facts(Object.entries(total).filter(([field, count]) => field === 'read' || count > 0)),
          ])
        }
      }
    })
}

/** The end of a run, for the trail. */
function endOf(result: SyncResult): object {
  const { outcome } = result
  switch (outcome) {
    case 'synced':
      return { outcome, ...result.total }
    case 'postponed':
      return { outcome, until: result.until.toISOString() }
    case 'failed':
      return { outcome, reason: result.reason }
    case 'busy':
      return { outcome }
  }
}

function pauseCommand(): Command {
  return new Command('pause')
    .description(
      'Stop synchronizing a source. A run that is under way ends with its page. Its listings stay.',
    )
    .argument('<name>', 'the source')
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline sources pause metro')
    .action(async (name: string, _options: object, command: Command) => {
      await changeSource(name, command, 'sources.pause', pauseSource)
      print(command, { source: name, paused: true }, [`Paused ${name}.`])
    })
}

function resumeCommand(): Command {
  return new Command('resume')
    .description('Synchronize a paused source again, now and on its schedule.')
    .argument('<name>', 'the source')
    .addOption(operatorOption())
    .addHelpText('after', '\nExample:\n  lotline sources resume metro')
    .action(async (name: string, _options: object, command: Command) => {
      await changeSource(name, command, 'sources.resume', resumeSource)
      print(command, { source: name, paused: false }, [`Resumed ${name}.`])
    })
}

function removeCommand(): Command {
  return new Command('remove')
    .description('Disconnect a source: forget how to reach it and how far it was read. Its listings stay.')
    .argument('<name>', 'the source')
    .option(...YES)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
To remove its listings as well: lotline listings remove --source NAME. The zpids of its homes are kept in any case: a source
that is connected again under the same name has the same homes.

Example:
  lotline sources remove metro --yes`,
    )
    .action(async (name: string, options: { yes?: boolean }, command: Command) => {
      await withDatabase(async (database) => {
        await requireConnected(database, name)
        await confirm(`Disconnects the source ${name}.`, options)
        await changeIn(database, name, command, 'sources.remove', removeSource)
      })
      print(command, { source: name, removed: true }, [`Disconnected ${name}. Its listings stay.`])
    })
}

type SourceChange = (database: Database, name: string) => Promise<boolean>

function changeSource(name: string, command: Command, action: string, change: SourceChange): Promise<void> {
  return withDatabase((database) => changeIn(database, name, command, action, change))
}

/** Makes the change and records it in the trail. */
function changeIn(
  all: Database,
  name: string,
  command: Command,
  action: string,
  change: SourceChange,
): Promise<void> {
  return runAsOperator(all, operatorOf(command), async ({ database, note }) => {
    const before = await findConnected(database, name)
    if (!before || !(await change(database, name))) throw unknownSource(name)
    const after = await findConnected(database, name)
    await note({
      action,
      object: name,
      before: trailOf(before),
      ...(after && { after: trailOf(after) }),
    })
  })
}

function toJson({ source, state, held, newest, lagSeconds, quotas, blockedUntil }: SourceStatus) {
  const { name, settings, everySeconds, syncedAt, dueAt, failures, lastError, counts } = source
  return {
    source: name,
    kind: settings.kind,
    state,
    every_seconds: everySeconds,
    settings,
    synced_at: syncedAt,
    due_at: dueAt,
    newest_change: newest,
    lag_seconds: lagSeconds,
    failures,
    last_error: lastError,
    sweep_error: source.sweepError,
    sweep_failed_at: source.sweepFailedAt,
    stated_records: source.statedRecords,
    missing_records: source.missingRecords,
    surplus_records: source.surplusRecords,
    blocked_until: blockedUntil,
    held_import: held?.id ?? null,
    held_because: held?.findings ?? [],
    quotas,
    ...counts,
  }
}

/** Whether a feed has been read completely, by its own count. */
function completenessOf(source: SourceStatus['source']): (readonly [string, string | Date | null])[] {
  const { comparedAt, statedRecords, missingRecords, surplusRecords, sweepError, sweptAt, sweepDueAt } =
    source
  if (comparedAt === null) return []
  return [
    ['records by the feed', statedRecords === null ? 'the feed states no number' : String(statedRecords)],
    ...(missingRecords ? [['missing here', `${missingRecords}: the feed does not send them`] as const] : []),
    ...(surplusRecords
      ? [['not counted by the feed', `${surplusRecords}: the next sweep asks for them by key`] as const]
      : []),
    ['last sweep', sweptAt],
    ['next sweep', sweepDueAt],
    ...(sweepError === null ? [] : [['sweep refused', sweepError] as const]),
  ]
}

/** `45s`, `12m`, `3h`, `2d`. */
function shortTime(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)}s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)}h` : `${Math.round(seconds / 86_400)}d`
}
