// `lotline sources add`: validates a source's address and mapping before it stores them.

import { readFile } from 'node:fs/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { parseMapping } from '../../../data/ingest.ts'
import {
  addSource,
  type ConnectedSource,
  findConnected,
  PROFILE_NAMES,
  PROFILES,
  type ProfileName,
  parseOverrides,
  profileOf,
  RELATED_NAMES,
  type RelatedName,
  requireFitting,
  type SourceSettings,
} from '../../../data/replication.ts'
import { runAsOperator } from '../../../money/operator.ts'
import { operatorOf, operatorOption, ownSourceName } from '../arguments.ts'
import { CommandFailure, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface AddOptions {
  kind: 'reso' | 'file'
  url: string
  profile?: ProfileName
  tokenEnv?: string
  queryEnv?: string
  clientCredentialsEnv?: string
  tokenUrl?: string
  originatingSystem?: string
  filter?: string
  use?: string
  authority?: string
  notice?: string
  expand?: readonly string[]
  related?: readonly RelatedName[]
  overrides?: string
  map?: string
  complete?: boolean
  merge?: boolean
  every: number
}

export function addCommand(): Command {
  return new Command('add')
    .description('Connect a source. Its first run begins within seconds if a server is running.')
    .argument('<name>', 'the name of the source of these listings', ownSourceName)
    .addOption(new Option('--kind <kind>', 'what it is').choices(['reso', 'file']).makeOptionMandatory())
    .requiredOption(
      '--url <url>',
      'base URL of the feed (https); for a file its URL, or its path on the server',
    )
    .addOption(
      new Option('--profile <profile>', 'the vendor of the feed; generic: any other').choices(PROFILE_NAMES),
    )
    .option(
      '--token-env <variable>',
      'the environment variable that has the bearer token',
      variableOf('--token-env'),
    )
    .option(
      '--client-credentials-env <variable>',
      'the environment variable that has client_id:client_secret',
      variableOf('--client-credentials-env'),
    )
    .option('--token-url <url>', 'where the feed issues tokens for client credentials')
    .option('--originating-system <name>', 'only listings of this system, such as actris; MLS Grid needs it')
    .option('--filter <condition>', 'an OData condition, such as "PropertyType eq \'Residential\'"')
    .option('--use <use>', 'the use that a listing must permit in MlgCanUse, such as IDX; MLS Grid needs it')
    .option('--authority <name>', 'the public name of the MLS, if the feed does not state it')
    .option('--notice <text>', 'the notice that must be shown with each listing')
    .option('--expand <resources>', 'what comes with each listing: Media,OpenHouse or none', nameList)
    .option('--related <resources>', 'what is read by itself: OpenHouse,Office,Member or none', relatedList)
    .option('--overrides <file>', 'YAML that maps local fields and lookups')
    .option('--map <file>', 'for a CSV file: the mapping file')
    .option(
      '--query-env <variable>',
      'for a file: the environment variable that has the query of its URL, such as a signature',
      variableOf('--query-env'),
    )
    .option('--complete', 'for a file: it has all homes of the source; homes that it lacks go off the market')
    .option('--merge', 'for a file: its rows change only the fields that they have')
    .option('--every <duration>', 'how often it is synchronized: 15m, 6h, 1d', duration, 15 * 60)
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
A credential stays in the environment variable. The database has only the name of the variable, so set it for the server, for
each worker, and for this command.

Profiles: ${PROFILE_NAMES.map((name) => `${name} (${PROFILES[name].vendor})`).join(', ')}.

Examples:
  lotline sources add metro --kind reso --url https://api.example.com/reso/odata --profile generic --token-env METRO_TOKEN
  lotline sources add actris --kind reso --url https://api.mlsgrid.com/v2 --profile mlsgrid --token-env GRID_TOKEN \\
    --originating-system actris --use IDX
  lotline sources add county --kind file --url https://files.example.com/sales.csv --map sales.yaml --every 1d --complete`,
    )
    .action(async (name: string, options: AddOptions, command: Command) => {
      const settings = options.kind === 'reso' ? resoSettings(options) : await fileSettings(options)
      if (settings.kind === 'reso' && options.overrides !== undefined) {
        const yaml = await readText(options.overrides)
        parseOverrides(yaml, options.overrides)
        Object.assign(settings, { overrides: yaml })
      }
      const added = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const added = await addSource(database, name, settings, options.every)
          const after = added && (await findConnected(database, name))
          if (after) await note({ action: 'sources.add', object: name, after: trailOf(after) })
          return added
        }),
      )
      if (!added)
        throw new CommandFailure(
          `There is a source ${name} already. To change it, remove it and add it again.`,
        )
      print(command, { source: name, kind: options.kind, every_seconds: options.every }, [
        `Connected ${name}. To see what it sends: lotline sources check ${name}`,
      ])
    })
}

/** The trail's fields of a source. Its settings contain the names of credential variables, never a credential. */
export function trailOf({ settings, everySeconds, pausedAt, dueAt }: ConnectedSource): object {
  const { kind } = settings
  const at = settings.kind === 'reso' ? settings.url : settings.location
  // An earlier version of the service accepted URLs with a query, which can contain a token.
  return {
    kind,
    location: at.replace(/[?#].*/s, ''),
    every_seconds: everySeconds,
    paused_at: pausedAt,
    due_at: dueAt,
  }
}

function resoSettings(options: AddOptions): SourceSettings {
  const { profile, tokenEnv, clientCredentialsEnv } = options
  if (profile === undefined) throw new CommandFailure('A feed needs --profile.', 2)
  if (tokenEnv !== undefined && clientCredentialsEnv !== undefined)
    throw new CommandFailure('Name one credential: --token-env or --client-credentials-env.', 2)
  if (options.map !== undefined || options.complete || options.merge || options.queryEnv !== undefined)
    throw new CommandFailure('--map, --complete, --merge and --query-env are for files (--kind file).', 2)
  const { url, tokenUrl, originatingSystem, filter, use, authority, notice, expand, related } = options
  const settings = {
    kind: 'reso' as const,
    url: requirePlain('--url', url, 'Put a credential into a variable: --token-env.'),
    profile,
    ...(tokenEnv !== undefined && { tokenEnv }),
    ...(clientCredentialsEnv !== undefined && { clientCredentialsEnv }),
    ...(tokenUrl !== undefined && { tokenUrl: requirePlain('--token-url', tokenUrl) }),
    ...(originatingSystem !== undefined && { originatingSystem }),
    ...(filter !== undefined && { filter }),
    ...(use !== undefined && { use }),
    ...(authority !== undefined && { authority }),
    ...(notice !== undefined && { notice }),
    ...(expand !== undefined && { expand }),
    ...(related !== undefined && { related }),
  }
  requireFitting(settings, PROFILES[profile])
  if (
    clientCredentialsEnv !== undefined &&
    tokenUrl === undefined &&
    profileOf({ profile }).tokenPath === undefined
  )
    throw new CommandFailure(`The profile ${profile} needs --token-url for client credentials.`, 2)
  return settings
}

async function fileSettings({
  url,
  map,
  complete = false,
  merge = false,
  tokenEnv,
  queryEnv,
  ...rest
}: AddOptions): Promise<SourceSettings> {
  const { use } = rest
  if (rest.profile !== undefined || rest.clientCredentialsEnv !== undefined || rest.overrides !== undefined)
    throw new CommandFailure(
      '--profile, --client-credentials-env and --overrides are for feeds (--kind reso).',
      2,
    )
  const isRemote = /^[a-z][a-z0-9+.-]+:\/\//i.test(url)
  if (isRemote) requirePlain('--url', url, 'Put the query into a variable: --query-env.')
  else if (queryEnv !== undefined) throw new CommandFailure('--query-env is for the URL of a file.', 2)
  const mapping = map === undefined ? undefined : await readText(map)
  if (mapping !== undefined) parseMapping(mapping, map!)
  if (mapping === undefined && /\.csv(?:\.gz)?$/i.test(isRemote ? new URL(url).pathname : url))
    throw new CommandFailure(`${url} is CSV: say what its columns mean with --map FILE.`)
  return {
    kind: 'file',
    location: url,
    complete,
    ...(merge && { merge }),
    ...(tokenEnv !== undefined && { tokenEnv }),
    ...(queryEnv !== undefined && { queryEnv }),
    ...(mapping !== undefined && { mapping }),
    ...(use !== undefined && { use }),
  }
}

/** Names of resources, separated by commas; `none`: an empty list. */
function nameList(value: string): readonly string[] {
  if (value === 'none') return []
  const names = value.split(',')
  if (!names.every((name) => /^[A-Za-z]{1,60}$/.test(name)))
    throw new InvalidArgumentError('It takes names of resources, such as Media,OpenHouse, or none.')
  return names
}

function relatedList(value: string): readonly RelatedName[] {
  const names = nameList(value)
  const known = RELATED_NAMES.filter((name) => names.includes(name))
  if (known.length !== names.length)
    throw new InvalidArgumentError(`It takes some of ${RELATED_NAMES.join(', ')}, or none.`)
  return known
}

const UNITS = { m: 60, h: 3_600, d: 86_400 } as const

/** Seconds. */
function duration(value: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(value) ?? []
  const seconds = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (!(seconds >= 60 && seconds <= 31 * 86_400))
    throw new InvalidArgumentError('It takes a duration from 1m to 31d, such as 15m.')
  return seconds
}

/** A value that is not a variable name is not printed, because it may be the credential. */
function variableOf(option: string): (value: string) => string {
  return (value) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(value))
      throw new CommandFailure(
        `${option} takes the name of an environment variable, not the credential itself.`,
        2,
      )
    return value
  }
}

/**
 * A URL that can be stored: https, without parts that may be a credential. It is not printed, because it may contain one. Credentials are
 * only sent over TLS, or within this machine.
 */
function requirePlain(option: string, value: string, advice = ''): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLocal = url !== undefined && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  const isHttps = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)
  if (!isHttps || url.username !== '' || url.password !== '' || /[?#]/.test(value)) {
    const rule = 'It takes an https URL without a user name or a query.'
    throw new CommandFailure(`The ${option} cannot be used. ${rule} ${advice}`.trimEnd(), 2)
  }
  return value
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${path} cannot be read (${error.code}).`)
  })
}
