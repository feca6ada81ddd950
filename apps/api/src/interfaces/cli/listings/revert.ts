import { Command } from 'commander'
import { IMPORT_UNDO_DAYS, type RevertRefusal } from '../../../data/undo.ts'
import { type ImportUndo, undoImport } from '../../../work/watches.ts'
import { operatorOf, operatorOption, wholeNumber } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function revertCommand(): Command {
  return new Command('revert')
    .description(
      'Undo an import, a removal, or a run of a feed: restore every home as it was, retract the events of watches that it ' +
        'caused, and refund them. It is one transaction.',
    )
    .argument('<import>', 'number of the import, as `lotline listings imports` lists it', wholeNumber(1))
    .option('--dry-run', 'report what would happen, and write nothing')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
An import can be undone for ${IMPORT_UNDO_DAYS} days. Homes that a later import has changed stay as they are, and homes that may not be
shown any more stay removed. Connected sources of the import are paused, so that their next run does not repeat it:
resume them with \`lotline sources resume NAME\` when they are right again.

Examples:
  lotline listings revert 17 --dry-run
  lotline listings revert 17`,
    )
    .action(async (importId: number, { dryRun = false }: { dryRun?: boolean }, command: Command) => {
      const result = await withDatabase((database) =>
        undoImport(database, operatorOf(command), importId, { dryRun }),
      )
      if (!result.reverted) throw new CommandFailure(REFUSALS[result.because](importId))
      print(command, toJson(result.undo, dryRun), toLines(result.undo, dryRun))
    })
}

const REFUSALS: Readonly<Record<RevertRefusal, (id: number) => string>> = {
  unknown: (id) => `There is no import ${id}. List the imports: \`lotline listings imports\`.`,
  already_reverted: (id) => `Import ${id} was undone before. Nothing was changed.`,
  not_applied: (id) => `Import ${id} is held or was discarded, so it has changed nothing that can be undone.`,
  is_revert: (id) =>
    `Import ${id} is itself an undo. To apply the undone import again, import its file again.`,
  too_old: (id) =>
    `Import ${id} is older than ${IMPORT_UNDO_DAYS} days, and the homes that it replaced are not kept any more. ` +
    'Import a file with the right records instead.',
}

function toJson(undo: ImportUndo, dryRun: boolean) {
  const { importId, revertId, restored, removed, changedLater, changedLaterZpids, withheld } = undo
  return {
    dry_run: dryRun,
    import: importId,
    revert: revertId,
    restored,
    removed,
    changed_later: changedLater,
    changed_later_zpids: changedLaterZpids,
    withheld,
    retracted_events: undo.events.retracted,
    watches: undo.events.watches,
    refunded_credits: undo.refund.credits,
    refunded_accounts: undo.refund.accounts,
    paused_sources: undo.pausedSources,
  }
}

function toLines(undo: ImportUndo, dryRun: boolean): string[] {
  const { importId, revertId, restored, removed, changedLater, changedLaterZpids, withheld } = undo
  const { events, refund, pausedSources } = undo
  const more = changedLater - changedLaterZpids.length
  return [
    dryRun
      ? `Nothing was written. Undoing import ${importId} would give:`
      : `Import ${importId} is undone, as import ${revertId}.`,
    ...facts([
      ['restored', restored],
      ['  removed', removed],
      ['changed later', changedLater],
      ['withheld', withheld],
      ['retracted events', `${events.retracted} of ${events.watches} watches`],
      ['refunded', `${refund.credits} credits to ${refund.accounts} accounts`],
    ]),
    ...(changedLater === 0 ? [] : ['', 'A later import has changed these homes. They stay as they are:']),
    ...changedLaterZpids.map((zpid) => `  ${zpid}`),
    ...(more > 0 ? [`  and ${more.toLocaleString('en-US')} more`] : []),
    ...(pausedSources.length === 0
      ? []
      : [
          '',
          `${dryRun ? 'These sources would be paused' : 'These sources are paused'} until you resume them, because ` +
            'their next run may repeat the import:',
          ...pausedSources.map((name) => `  lotline sources resume ${name}`),
        ]),
  ]
}
