// A running server with its data directory, accounts that may call it as fast as they can, and its database.

import { type Database, openDatabase } from '@lotline/api/infrastructure/database/database.ts'
import { openAccount } from '@lotline/api/money/accounts/open-account.ts'
import { type Api, startApi } from './processes/api.ts'

export const KEYS = 50
const RATE_PER_MINUTE = 100_000
const CREDITS = 1_000_000_000

export interface BenchAccount {
  readonly accountId: string
  readonly key: string
}

export interface Stage {
  /** The one that runs now. */
  readonly api: Api
  readonly dataDir: string
  /** Each with a key of its own. */
  readonly accounts: readonly BenchAccount[]
  /** A connection to the database of the server, for commands that run beside it. */
  readonly database: Database
  /** The version of PostgreSQL. */
  readonly postgres: string
  /** Stops the server and starts it again on the same data. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Accounts that no limit stops, each with a key. */
export async function openAccounts(database: Database, count: number): Promise<BenchAccount[]> {
  const accounts: BenchAccount[] = []
  while (accounts.length < count) {
    accounts.push(
      await openAccount(database, { plan: 'custom', ratePerMinute: RATE_PER_MINUTE, credits: CREDITS }),
    )
  }
  return accounts
}

export async function startStage(dataDir: string, env: Record<string, string>): Promise<Stage> {
  let api = await startApi(dataDir, env)
  try {
    const database = await openDatabase({
      config: { dataDir, databaseUrl: undefined },
      as: 'command',
      poolSize: 1,
    })
    const accounts = await openAccounts(database, KEYS)
    const { rows } = await database.query<{ server_version: string }>('show server_version')
    const close = async () => {
      await database.close()
      await api.stop()
    }
    const restart = async () => {
      await api.stop()
      api = await startApi(dataDir, env)
    }
    return {
      get api() {
        return api
      },
      dataDir,
      accounts,
      database,
      postgres: rows[0]!.server_version,
      restart,
      close,
    }
  } catch (error) {
    await api.stop()
    throw error
  }
}
