import { Command } from 'commander'
import { auditLedger, type Drift } from '../../credits/audit.ts'
import { noteAudit } from '../../credits/audit-log.ts'
import { CommandFailure, text, wantsJson } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function auditCommand(): Command {
  return new Command('audit')
    .description(
      'Prove the ledger: balances are the sum of their postings, what is held is the sum of open holds, and every ' +
        'usage row was charged the price of the contract. Exits with 1 when anything does not fit.',
    )
    .addHelpText(
      'after',
      `
It reads one consistent snapshot, so it may run beside a server at work. It changes nothing, but for a note of when it
was and how many findings there were, which the server shows in its metrics.

Examples:
  lotline credits audit
  lotline credits audit --json | jq .drift`,
    )
    .action(async (_options: object, command: Command) => {
      const json = wantsJson(command)
      // Printed as it is found, so that neither a long audit is silent nor a bad one needs memory.
      let found = 0
      const print = (drift: Drift) => {
        const before = found++ === 0 ? '\n' : ',\n'
        process.stdout.write(json ? `${before}${JSON.stringify(drift)}` : `${lineOf(drift)}\n`)
      }
      if (json) process.stdout.write('{ "drift": [')
      const { drifts, ...checked } = await withDatabase(async (database) => {
        const audited = await auditLedger(database, print)
        await noteAudit(database, audited)
        return audited
      })
      const { accounts, holds, postings, usageRows } = checked
      if (json) {
        const counts = JSON.stringify({ accounts, holds, postings, usage_rows: usageRows })
        process.stdout.write(`], "clean": ${drifts === 0}, "checked": ${counts} }\n`)
      } else {
        process.stdout.write(
          `Audited ${accounts} accounts, ${postings} postings, ${holds} holds and ${usageRows} usage rows.\n`,
        )
        if (drifts === 0) process.stdout.write('Every credit is accounted for.\n')
      }
      if (drifts > 0) throw new CommandFailure(`The ledger has drifted: ${drifts} findings.`)
    })
}

function lineOf({ check, accountId, facts }: Drift): string {
  const said = Object.entries(facts).map(([name, value]) => `${name}=${text(value)}`)
  return `DRIFT  ${check}  account ${text(accountId)}  ${said.join(' ')}`
}
