// Why: decisions/data/remove-does-not-ask.md

import { Command } from 'commander'
import { changesCommand } from './listings/changes.ts'
import { discardCommand, heldCommand, releaseCommand, showCommand } from './listings/held.ts'
import { importCommand } from './listings/import.ts'
import { importsCommand } from './listings/imports.ts'
import { mapCommand } from './listings/map.ts'
import { removeCommand } from './listings/remove.ts'
import { revertCommand } from './listings/revert.ts'
import { statsCommand } from './listings/stats.ts'

export function listingsCommand(): Command {
  return new Command('listings')
    .description('Import, remove and count the listings of the data set, and list its changes.')
    .addCommand(importCommand())
    .addCommand(importsCommand())
    .addCommand(heldCommand())
    .addCommand(showCommand())
    .addCommand(releaseCommand())
    .addCommand(discardCommand())
    .addCommand(mapCommand())
    .addCommand(removeCommand())
    .addCommand(revertCommand())
    .addCommand(statsCommand())
    .addCommand(changesCommand())
}
