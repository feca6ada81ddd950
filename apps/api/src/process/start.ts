// Starts in this order: settings, database, sample, server, jobs, and webhooks. stop.ts goes backwards.

import { once } from 'node:events'
import { createServer as createProbe } from 'node:net'
import type { Logger } from 'pino'
import { loadSample } from '../data/ingest.ts'
import { startSyncing } from '../data/replication.ts'
import { openReadReplica, type ReadReplica } from '../data/sources.ts'
import { type Config, readConfig } from '../infrastructure/config.ts'
import {
  bookPartitionsChore,
  copyJournalChore,
  type Database,
  openDatabase,
  StartError,
} from '../infrastructure/database.ts'
import {
  lotlineCommand,
  type Observer,
  Secret,
  startChores,
  watchLaunchers,
} from '../infrastructure/platform.ts'
import { joinSecretsKeyHolders, type SecretsKeyLease } from '../infrastructure/processes.ts'
import { createConsole } from '../interfaces/console.ts'
import { createHealthServer } from '../interfaces/http.ts'
import { createServer } from '../interfaces/server.ts'
import { findDemoKey, keepDemoKey, openFirstAccount, plans } from '../money/accounts.ts'
import { type Limits, type OpenLimitsOptions, openLimits } from '../money/limits.ts'
import { startRemovingExpired } from '../work/retention.ts'
import { type App, buildApp } from './app.ts'
import { stopWithGrace } from './stop.ts'
import { createLog } from './telemetry/log.ts'

/** A home of the sample, for the first call. */
const SAMPLE_ZPID = '48749425'

type Server = Awaited<ReturnType<typeof createServer>>

/** Resolves when the server accepts requests. */
export async function start(): Promise<void> {
  const config = readConfig()
  refuseOwnSecretsKey(config)
  const log = createLog(config.logLevel)
  watchLaunchers(() => {
    log.info('the package manager that started this process exited; stopping')
    process.kill(process.pid, 'SIGTERM')
  })
  await refuseTakenPort(config)
  if (config.admin) await refuseTakenPort(config.admin, 'ADMIN_')
  const database = await openDatabase({ config, as: 'server', log })
  let limits: Limits | undefined
  let keyLease: SecretsKeyLease | undefined
  let replica: ReadReplica | undefined
  try {
    // Imported only if traces are sent, so that other processes do not load the libraries.
    const tracing =
      config.tracing &&
      (await import('./telemetry/tracing/tracing.ts')).startTracing(config.tracing, config, log)
    const isWorker = config.role === 'worker'
    // Only processes that answer calls count them.
    if (!isWorker) limits = await openLimits(limitsOptions(config, database, log))
    replica = await openReadReplica(config.databaseReadUrl, database, log)
    const app = buildApp(config, log, database, { limits, replica, ...(tracing && { watch: tracing.watch }) })
    await app.webhooks.prepareKey().catch((error: unknown) => {
      if (error instanceof StartError) throw error
      log.warn(
        { err: error },
        'cannot make secrets.key in DATA_DIR: webhooks cannot be created until it is writable, or SECRETS_KEY is set',
      )
    })
    // The embedded database has one process.
    if (config.databaseUrl !== undefined) {
      keyLease = await joinSecretsKeyHolders({ database, log, keyIds: app.webhooks.keyIds })
    }
    // Secrets are encrypted with this process's first key, so the other processes must have it too.
    await app.webhooks.prepare()
    if (config.role !== 'api') await app.webhooks.recordRules()
    await app.clock.ask()
    const hasDataSet = [config.provider, ...config.standIns].some(({ kind }) => kind === 'dataset')
    const wantsSample = config.sampleData && hasDataSet && !isWorker
    if (wantsSample) await loadSample(database, { onStart: announceSample })
    const server = isWorker ? createHealthServer(app) : await createServer(app)
    const address = await listen(server, config)
    const operatorConsole = config.admin && (await createConsole(app, config.admin))
    if (operatorConsole && config.admin) await listen(operatorConsole, config.admin, 'ADMIN_')
    // Every process expires overdue jobs. All except `ROLE=api` run jobs.
    const jobs = app.jobs.start({ work: config.role !== 'api' })
    const deliverer = config.role === 'api' ? undefined : app.webhooks.start()
    const watches = config.role === 'api' ? undefined : app.watches.start()
    const syncing = config.role === 'api' ? undefined : startSyncing(database, log, config)
    const workers = [
      startChores(
        log,
        app.clock.chore,
        app.providerUsage.chore,
        app.keyUse.chore,
        bookPartitionsChore(database),
        copyJournalChore(database, config.dataDir, reportJournal(log, app.observer)),
      ),
      jobs,
      startRemovingExpired(database, log),
      ...(deliverer ? [deliverer] : []),
      ...(watches ? [watches] : []),
      ...(syncing ? [syncing] : []),
    ]
    stopWithGrace(app, server, workers, {
      ...(operatorConsole && { operatorConsole }),
      ...(tracing && { tracing }),
      ...(keyLease && { keyLease }),
      ...(replica && { replica }),
    })
    if (isWorker)
      process.stdout.write(
        `Lotline works on jobs; its health is at ${address}/healthz, its metrics at ${address}/metrics\n`,
      )
    else await greet(app, address, wantsSample && (await isUntouched(database)))
  } catch (error) {
    await keyLease?.leave()
    await limits?.close()
    await replica?.close()
    await database.close()
    throw error
  }
}

/**
 * A process that is configured as one of several needs `SECRETS_KEY`, the encryption key of webhook secrets. The other processes would not
 * have a key that it created in its own DATA_DIR.
 */
function refuseOwnSecretsKey({ databaseUrl, role, valkeyUrl, secretsKeys }: Config): void {
  if (databaseUrl === undefined || secretsKeys.length > 0) return
  if (role === 'all' && valkeyUrl === undefined) return
  throw new StartError(
    `SECRETS_KEY is not set, but ${role === 'all' ? 'VALKEY_URL' : `ROLE=${role}`} means that several processes share this ` +
      'database. Give all of them the same SECRETS_KEY (`openssl rand -base64 32`). If a process has already made a key, ' +
      'use the one in its DATA_DIR/secrets.key.',
  )
}

function limitsOptions(config: Config, database: Database, log: Logger): OpenLimitsOptions {
  return {
    database,
    log,
    storeUrl: config.valkeyUrl?.reveal(),
    databaseIsShared: config.databaseUrl !== undefined,
  }
}

/** Logs when the safety journal cannot be written, and when it can again. */
function reportJournal(log: Logger, observer: Observer): (failure: unknown) => void {
  let isFailing = false
  return (failure) => {
    observer.journalWritten(failure === undefined)
    if (failure !== undefined && !isFailing)
      log.error(
        { err: failure },
        'cannot write the safety journal to DATA_DIR: a restore could undo the latest revocations',
      )
    else if (failure === undefined && isFailing) log.info('the safety journal is written again')
    isFailing = failure !== undefined
  }
}

/** Reports a port in use immediately, before the database is created and the sample is loaded. */
async function refuseTakenPort({ host, port }: ListenAddress, prefix = ''): Promise<void> {
  const probe = createProbe()
  try {
    await once(probe.listen({ host, port }), 'listening')
  } catch (error) {
    throw listenError(error, { host, port }, prefix)
  } finally {
    probe.close()
  }
}

/** Returns a URL that works on this machine. */
async function listen(server: Server, { host, port }: ListenAddress, prefix = ''): Promise<string> {
  try {
    const address = await server.listen({ host, port })
    return address.replace('//[::]:', '//[::1]:')
  } catch (error) {
    throw listenError(error, { host, port }, prefix)
  }
}

type ListenAddress = Pick<Config, 'host' | 'port'>

/** @param prefix prefix of the settings for the host and the port */
function listenError(error: unknown, { host, port }: ListenAddress, prefix: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is taken, perhaps by a Lotline that runs already: stop it, or choose another port with ${prefix}PORT.`,
      )
    case 'EACCES':
      return new StartError(`Port ${port} may not be opened by this user. Choose another with ${prefix}PORT.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`${prefix}HOST ${host} is not an address of this machine.`)
    default:
      return error
  }
}

function announceSample(): void {
  process.stdout.write('First start: loading the sample listings. This takes a few seconds.\n')
}

/** Prints, on the first start, a complete command line with a new key; later, the URLs. */
async function greet(app: App, address: string, isFirstStart: boolean): Promise<void> {
  const lines = [`Lotline serves ${address}`, `The manual is at ${address}/docs`]
  // Several processes may start over one new database. Only one of them prints the key.
  const demo = isFirstStart ? await openFirstAccount(app.database, { plan: 'free' }) : undefined
  if (app.config.admin)
    lines.push(`The console is on port ${app.config.admin.port}: ${lotlineCommand()} console link`)
  if (demo) {
    app.demoKey = new Secret(demo.key)
    keepDemoKey(app.config.dataDir, demo.key)
    lines.push(
      '',
      `Try it. This demo key has ${plans.free.creditsPerCycle} credits and is shown this once:`,
      '',
      `  curl -H 'Authorization: Bearer ${demo.key}' ${address}/v1/properties/${SAMPLE_ZPID}`,
    )
  } else {
    app.demoKey = await findDemoKey(app.config.dataDir, app.principals)
    lines.push(`Another key: ${lotlineCommand()} accounts create --plan free`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Whether the sample exists without an account, which is also the state after an interrupted first start. */
async function isUntouched(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ untouched: boolean }>(
    `select exists (select 1 from listings where zpid = $1) and not exists (select 1 from accounts) as untouched`,
    [SAMPLE_ZPID],
  )
  return rows[0]!.untouched
}
