import { Command } from 'commander'
import { auditCommand } from './credits/audit.ts'
import { historyCommand } from './credits/history.ts'
import { topupCommand } from './credits/topup.ts'

export function creditsCommand(): Command {
  return new Command('credits')
    .description('Balances and the ledger behind them.')
    .addCommand(topupCommand())
    .addCommand(historyCommand())
    .addCommand(auditCommand())
}
