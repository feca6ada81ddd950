import { Command } from 'commander'
import { adjustCommand } from './credits/adjust.ts'
import { auditCommand } from './credits/audit.ts'
import { historyCommand } from './credits/history.ts'
import { topupCommand } from './credits/topup.ts'

export function creditsCommand(): Command {
  return new Command('credits')
    .description('Balances and the ledger behind them.')
    .addCommand(topupCommand())
    .addCommand(adjustCommand())
    .addCommand(historyCommand())
    .addCommand(auditCommand())
}
