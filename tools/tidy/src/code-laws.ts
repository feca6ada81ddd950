// The laws of code: what may be in which folder. A pattern is matched with code alone, with its comments and texts blanked out, or with the
// texts as the program sees them, so that neither a comment nor a constant hides or feigns a breach.

import { fileOf, folderOf, isIn, type Place, testPlaceOf } from './folders.ts'
import { importsOf } from './imports.ts'
import { type Breach, lineAt, type Source } from './source.ts'
import { codeOf, type Law, matchesOf, type Plant, type Tree } from './tree.ts'

interface Pattern {
  readonly rule: string
  /** A forbidden pattern in code, outside strings and comments. */
  readonly code?: RegExp
  /** A forbidden pattern in each string. */
  readonly text?: RegExp
  /** A forbidden pattern in the file as it is. */
  readonly raw?: RegExp
  /** Names of modules, as imports have them. */
  readonly module?: RegExp
  readonly within: (file: string) => boolean
  readonly except?: readonly Place[]
  readonly plants: readonly Plant[]
}

const isService = (file: string) => folderOf(file) !== undefined && /\.[cm]?[jt]s$/.test(file)
const isProgram = (file: string) => /^(?:apps|packages)\/[^/]+\/src\/.*\.[cm]?[jt]s$/.test(file)
const inFolders =
  (...folders: readonly Place[]) =>
  (file: string) =>
    isService(file) && isIn(file, folders)

function law({ rule, plants, within, except = [], ...patterns }: Pattern): Law {
  const check = (tree: Tree): Breach[] =>
    tree.sources
      .filter(({ file }) => within(file) && !isIn(file, except) && !except.includes(file))
      .flatMap((source) => {
        const breaches: Breach[] = []
        if (patterns.raw) breaches.push(...matchesOf(source, source.text, patterns.raw, rule))
        if (patterns.code) breaches.push(...matchesOf(source, codeOf(source), patterns.code, rule))
        if (patterns.text)
          for (const { index, value } of tree.texts(source))
            if (patterns.text.test(value))
              breaches.push({ file: source.file, line: lineAt(source.text, index), rule })
        if (patterns.module)
          for (const { path, line } of importsOf(source))
            if (patterns.module.test(path)) breaches.push({ file: source.file, line, rule })
        return breaches
      })
  return { rule, check, plants, except }
}

const plant = (what: string, place: string, text: string): Plant => ({
  what,
  file: fileOf(place),
  text,
})

/** The meaning of homes and searches: it needs no file, database, or network, and knows no transport. */
const DOMAIN: readonly Place[] = ['record', 'reso', 'address', 'site-urls', 'search', 'formats']
/** The standard names and values, read once at the start. */
const DOMAIN_READS: readonly Place[] = ['reso/dictionary.ts']
const OUTSIDE =
  /^(?:node:)?(?:fs|net|https?|http2|dns|tls|dgram|child_process|worker_threads|cluster|module|process|readline|inspector)(?:\/|$)|^(?:pg|undici|fastify|pino|redis|ioredis|nodemailer)(?:[-/]|$)|^@fastify\/|^light-my-request|\/generated\/.*http/

/** Files of the domain that reach the outside by their imports, or by those of what they import. */
function findDomainImports({ sources }: Tree): Breach[] {
  const rule = DOMAIN_RULE
  const bySource = new Map(sources.map((source) => [source.file, source]))
  const reaches = new Map<string, string | undefined>()
  /** The first module outside that a file reaches, with the way to it. */
  const reachOf = (file: string): string | undefined => {
    if (reaches.has(file)) return reaches.get(file)
    reaches.set(file, undefined)
    const source = bySource.get(file)
    if (!source || isIn(file, DOMAIN_READS)) return undefined
    for (const { path, target } of importsOf(source)) {
      const found =
        target === undefined
          ? OUTSIDE.test(path)
            ? path
            : undefined
          : isIn(target, ['database', 'interfaces', 'config'])
            ? target
            : reachOf(target)
      if (found === undefined) continue
      const way = target === undefined || found === target ? found : `${target}, ${found}`
      reaches.set(file, way)
      return way
    }
    return undefined
  }
  return sources
    .filter(({ file }) => isService(file) && isIn(file, DOMAIN))
    .flatMap((source) => {
      const imported = importsOf(source).flatMap(({ path, line, target }) => {
        const way = target === undefined ? (OUTSIDE.test(path) ? path : undefined) : targetReach(target)
        return way === undefined || isIn(source.file, DOMAIN_READS)
          ? []
          : [{ file: source.file, line, rule: `${rule} (${way})` }]
      })
      return imported
    })

  function targetReach(target: string): string | undefined {
    if (isIn(target, ['database', 'interfaces', 'config'])) return target
    const way = reachOf(target)
    return way === undefined ? undefined : `${target}, ${way}`
  }
}
const DOMAIN_RULE = 'what homes and searches mean needs no file, database, or network'

/** Files that may open a connection to the outside: each bounds time, size, and address. */
const TRANSPORTS: readonly Place[] = [
  'oauth/guarded-fetch.ts',
  'sources/http/connection.ts',
  'replication/file-source.ts',
  'replication/upstream.ts',
  'net',
  'database/embedded/embedded-postgres.ts',
  // They listen, or look whether something does.
  'interfaces/http',
  'interfaces/server.ts',
  'process/start.ts',
]

/** All but the command line, which is a program over the database. */
const INTERFACES = [
  'requests/operations',
  'requests/presentation',
  ...['server.ts', 'http', 'api', 'manual', 'oauth', 'portal', 'mcp', 'console'].map(
    (name) => `interfaces/${name}`,
  ),
]
const SQL =
  /^\s*(?:(?:select\b[\s\S]*\bfrom\s+[a-z_"(\ue000]|select\s+(?:\w+\s*\(|[$\d*]|exists\b|pg_)|with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s)|insert\s+into\s+[\w".\ue000]+\s*(?:\(|select|values|default)|update\s+[\w".\ue000]+(?:\s+\w+)?\s+set\s|delete\s+from\s+[\w".\ue000]+(?:\s|$)|merge\s+into\s|truncate\s+(?:table\s+)?[\w".]+|(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|function|index|view|role)\s)/
const STATEMENT = new RegExp(SQL.source, 'i')

export const CODE_LAWS: readonly Law[] = [
  law({
    rule: 'only config.ts reads the environment',
    code: /\bprocess\s*(?:\?\.|\.)\s*env\b|(?<![.\w$'"])process\s*(?:\?\.\s*)?\[|\{[^{}]*\benv\b[^{}]*\}\s*=\s*(?:globalThis\s*\.\s*)?process\b|[=(,]\s*(?:globalThis\s*\.\s*)?process\s*(?=[;\n),]|$)|\bimport\.meta\.env\b/g,
    module: /^(?:node:)?process$/,
    within: isProgram,
    // Of the packages, only programs read it, each variable by its name.
    except: [
      'config',
      'packages/mock/src/command/send.ts',
      'packages/schema-diff/src/document.ts',
      // Where the environment may not exist.
      'packages/client/src/options.ts',
    ],
    plants: [
      plant('a variable', 'jobs/plant-env.ts', 'run(process.env.PORT)'),
      plant('taken apart', 'jobs/plant-env-apart.ts', 'const { env } = process'),
      plant('by its name in quotes', 'jobs/plant-env-quotes.ts', "run(process['env'].PORT)"),
      plant('by the global object', 'jobs/plant-env-global.ts', 'run(globalThis.process.env.PORT)'),
      plant('by its module', 'jobs/plant-env-module.ts', "import { env } from 'node:process'"),
      plant('by another name', 'jobs/plant-env-alias.ts', 'const self = process\nrun(self.env)'),
    ],
  }),
  law({
    rule: 'only interfaces/ knows Fastify',
    module: /^(?:fastify$|@fastify\/)/,
    within: isService,
    except: ['interfaces'],
    plants: [
      plant('a type', 'jobs/plant-fastify.ts', "import type { FastifyRequest } from 'fastify'"),
      plant('an old import', 'jobs/plant-fastify-old.ts', "import fastify = require('fastify')"),
      plant('passed on', 'engine/plant-fastify-on.ts', 'export * from "@fastify/static"'),
    ],
  }),
  law({
    rule: 'tests of the engine need no HTTP: call admit and perform, or move the test to interfaces/http',
    raw: /test-server\.ts|src\/interfaces\/|['"`]fastify|\bfetch\(/g,
    within: (file) => /^(?:engine\/|setup\/test-engine\.ts$)/.test(testPlaceOf(file) ?? ''),
    plants: [
      { what: 'a request', file: 'apps/api/test/requests/engine/plant.test.ts', text: 'await fetch(url)' },
    ],
  }),
  law({
    // A promise that is kept while it is under way, by itself or by a key. A set of running work is none: it deletes the promise.
    rule: 'work that is done once for all who ask is a single-flight (platform/single-flight.ts)',
    raw: /\?\?=[^\n;]*(?:\n\s+\.[^\n;]*)*\.finally\(|const (\w+) = [^\n;=]*(?:\n\s+\.[^\n;]*)*\.finally\(\(\) => \w+\.delete\((?!\1\b)/g,
    within: isService,
    // It is stopped once, and never again.
    except: ['platform/single-flight.ts', 'database/embedded/embedded-postgres.ts'],
    plants: [
      plant('a promise', 'jobs/plant-flight.ts', 'reading ??= read().finally(() => (reading = undefined))'),
      plant(
        'one by a key',
        'jobs/plant-flights.ts',
        'const own = read(key).finally(() => reading.delete(key))',
      ),
    ],
  }),
  law({
    // A loop that counts its attempts, and what a loop pauses with.
    rule: 'work that is tried again is in retry or poll (platform/retry.ts), which bound it',
    raw: /\bfor \(let (?:attempts?|tries|times|retr\w+) =|\b(?:for|while) \([^\n]*\bawait (?:sleep|pause)\(|\bsetTimeout\b[^\n]*from 'node:timers\/promises'|=> setTimeout\(resolve\b/g,
    within: isService,
    // Files that wait for one thing, once.
    except: [
      'platform/retry.ts',
      'platform/gather.ts',
      'database/embedded/postmaster.ts',
      'database/pool/connections.ts',
      'http/close-server.ts',
      'oauth/external-issuer.ts',
    ],
    plants: [
      plant('a counted loop', 'jobs/plant-retry.ts', 'for (let attempt = 1; ; attempt++) await work()'),
      plant('a pause', 'jobs/plant-pause.ts', "import { setTimeout as sleep } from 'node:timers/promises'"),
    ],
  }),
  law({
    // Otherwise the order of the modules cannot judge it.
    rule: 'an import names its file',
    raw: /\b(?:import|require)\((?!\s*['"]|\s*`[^`$]*`)|\bcreateRequire\b|\bgetBuiltinModule\b/g,
    within: isService,
    // The packages of the platform's binaries and of the boundaries.
    except: ['database/embedded/postgres-binaries.ts', 'places/built-in.ts'],
    plants: [
      plant('a variable', 'jobs/plant-import.ts', 'await import(name)'),
      plant('an own require', 'jobs/plant-require.ts', 'const load = createRequire(import.meta.url)'),
      plant('a module of Node', 'record/plant-builtin.ts', "process.getBuiltinModule('fs')"),
    ],
  }),
  law({
    rule: 'no test is left out in silence',
    raw: /\b(?:it|test|describe|suite)(?:\.(?:concurrent|sequential|fails|each|for))*\.(?:only|skip|todo)\b|\bx(?:it|test|describe)\(/g,
    within: (file) => /\.test\.ts$/.test(file),
    plants: [
      {
        what: 'a test',
        file: 'apps/api/test/work/jobs/plant.test.ts',
        text: `it${'.'}skip('runs', () => {})`,
      },
      {
        what: 'all others',
        file: 'packages/mock/test/plant.test.ts',
        text: `describe.concurrent${'.'}only('x', run)`,
      },
    ],
  }),
  law({
    // The stage names the source, chooses the format, and makes the tag, so that no operation forgets one of them.
    rule: 'operations show homes through requests/presentation',
    code: /\b(?:toReso|toSearchRow|toMapMarker|toUnitRow|toParentRow|describeBuilding|creditOf|JsonText)\b|\bsources\s*\.\s*describe\b|\bproject\s*\(/g,
    within: inFolders('operations'),
    plants: [
      plant(
        'a row',
        'operations/plant-row.ts',
        'const rows = found.records.map((one) => toSearchRow(one, now, sites))',
      ),
      plant('a projection', 'operations/plant-part.ts', 'const data = project(record, fields)'),
      plant(
        'standard names',
        'operations/plant-reso.ts',
        'const values = records.map((one) => toReso(one, now))',
      ),
    ],
  }),
  law({
    // Handlers and pages say what they need; the folder that owns the data knows how it is read.
    rule: 'operations and interfaces have no SQL',
    code: /\.\s*query\s*(?:<[^(]*>)?\(|\{[^{}=]*\bquery\b[^{}=]*\}\s*=\s*(?:\w+\.)*(?:database|db|tx|pool|client)\b|\bsql\s*$/g,
    text: STATEMENT,
    within: inFolders(...INTERFACES),
    // It passes on the statements of others, with a bound on their time.
    except: ['console/bounded-reads.ts'],
    plants: [
      plant('a query', 'operations/plant-query.ts', "await database.query('select 1')"),
      plant(
        'a constant',
        'operations/plant-constant.ts',
        "export const FIND =\n  'select id from jobs where state = $1'",
      ),
      plant('a tagged template', 'http/plant-tag.ts', 'await sql`\n  delete from jobs where id = 1`'),
      plant('texts with a plus', 'mcp/plant-plus.ts', "const of = 'update jobs ' + 'set state = 1'"),
      plant(
        'a common table expression',
        'console/plant-with.ts',
        'const of = `with x as (table jobs) table x`',
      ),
      plant('the function by itself', 'operations/plant-own.ts', 'const { query } = app.database'),
    ],
  }),
  {
    rule: DOMAIN_RULE,
    check: findDomainImports,
    plants: [
      plant('a file', 'record/plant-file.ts', "import { readFile } from 'node:fs/promises'"),
      plant('the old name of a module', 'search/plant-old.ts', "import fs = require('fs')"),
      plant(
        'a type of a transport',
        'formats/plant-type.ts',
        "import type { IncomingMessage } from 'node:http'",
      ),
      plant(
        'the database',
        'address/plant-database.ts',
        `import { open } from '../../${'infrastructure'}/database/database.ts'`,
      ),
      plant('passed on', 'reso/plant-on.ts', "export * from 'undici'"),
      {
        ...plant(
          'through another file',
          'site-urls/plant-through.ts',
          `import { a } from '../../${'infrastructure'}/platform/plant-reads.ts'`,
        ),
        with: {
          'apps/api/src/infrastructure/platform/plant-reads.ts': "import { readFileSync } from 'node:fs'",
        },
      },
      plant('when needed', 'search/plant-when.ts', "const { request } = await import('node:https')"),
    ],
  },
  law({
    rule: 'the domain knows no HTTP: no type, header, or status of it',
    code: /\b(?:Fastify\w+|IncomingMessage|ServerResponse|RequestInit|ResponseInit|HttpStatus\w*|statusCode|httpStatus)\b(?!\s*\()|(?<![.\w])(?:Request|Response|Headers|WebSocket|EventSource)\b(?=\s*[(<[;,)>|&=]|\s*$)|\bstatus\s*(?::|===?)\s*[1-5]\d\d\b/gm,
    within: inFolders(...DOMAIN),
    plants: [
      plant('a status', 'search/plant-status.ts', 'export const refusal = { status: 404 }'),
      plant('a global type', 'formats/plant-global.ts', 'export function write(to: Response) {}'),
      plant('a field', 'record/plant-field.ts', 'if (answer.statusCode) run()'),
    ],
  }),
  law({
    rule: 'requests go through a transport that bounds their time, size, and address',
    code: /(?<![.\w$])(?<!function\s+)fetch\s*\(|\b(?:globalThis|window|self|global)\s*(?:\?\.|\.)\s*fetch\b|\b(?:globalThis|global)\s*\[|[=(,:]\s*fetch\s*(?=[;\n),}]|$)|\{[^{}]*\bfetch\b[^{}]*\}\s*=\s*globalThis\b|\bnew\s+(?:XMLHttpRequest|WebSocket|EventSource)\b|\bnavigator\s*\.\s*sendBeacon\b/g,
    // Scripts of pages run in a browser.
    within: (file) => isService(file) && /\.[cm]?ts$/.test(file),
    except: ['oauth/guarded-fetch.ts'],
    plants: [
      plant('a call', 'jobs/plant-fetch.ts', 'await fetch(url)'),
      plant('the global object', 'jobs/plant-global.ts', 'await globalThis.fetch(url)'),
      plant('another name', 'jobs/plant-alias.ts', 'const get = fetch\nawait get(url)'),
      plant('taken apart', 'jobs/plant-apart.ts', 'const { fetch: get } = globalThis'),
      plant('a name in quotes', 'jobs/plant-quotes.ts', "await globalThis['fetch'](url)"),
      plant('as an argument', 'jobs/plant-argument.ts', 'await retry(fetch, url)'),
    ],
  }),
  {
    rule: 'only a transport opens connections',
    check: ({ sources }) =>
      sources
        .filter(({ file }) => isService(file) && !isIn(file, TRANSPORTS))
        .flatMap((source) => findConnections(source)),
    plants: [
      plant('undici', 'jobs/plant-undici.ts', "import { request } from 'undici'"),
      plant('a module of Node', 'watches/plant-https.ts', "import https from 'node:https'"),
      plant('its old name', 'mail/plant-net.ts', "import { connect } from 'net'"),
    ],
  },
  law({
    rule: 'a service writes to its log and not to the console',
    code: /(?<![.\w$])console\s*(?:\?\.|\.|\[)\s*(?!\w+Url)|\{[^{}]*\}\s*=\s*(?:globalThis\s*\.\s*)?console\b|\bglobalThis\s*\.\s*console\b|[=(,]\s*console\s*(?=[;\n),])|\bprocess\s*\.\s*(?:stdout|stderr)\b/g,
    module: /^(?:node:)?console$/,
    within: isService,
    // Programs. start.ts looks whether a terminal is there, and oauth.ts silences a library.
    except: ['cli', 'process/main.ts', 'process/start.ts', 'interfaces/oauth/oauth.ts'],
    plants: [
      plant('a call', 'jobs/plant-console.ts', "console.log('x')"),
      plant('taken apart', 'jobs/plant-console-apart.ts', 'const { log } = console'),
      plant('a name in quotes', 'jobs/plant-console-quotes.ts', "console['log'](1)"),
      plant('another name', 'jobs/plant-console-alias.ts', 'run(console)\n'),
      plant('the stream', 'jobs/plant-console-stream.ts', "process.stdout.write('x')"),
      plant('the module', 'jobs/plant-console-module.ts', "import { log } from 'node:console'"),
    ],
  }),
  law({
    // Its result is a promise, which is true, has no order, and is waited for by none.
    rule: 'a callback whose result is used at once is not async',
    code: /\.(?:filter|some|every|find|findIndex|findLast|findLastIndex|forEach|sort|toSorted|reduce|reduceRight|flatMap|replace|replaceAll)\(\s*(?:[^(),]*,\s*)?async\b/g,
    within: isProgram,
    plants: [
      plant('of a filter', 'jobs/plant-async.ts', 'rows.filter(async (row) => isLive(row))'),
      plant('of a loop', 'jobs/plant-async-loop.ts', 'rows.forEach(async function (row) {})'),
      plant('of a replacement', 'jobs/plant-async-second.ts', 'text.replace(/a/g, async () => b)'),
    ],
  }),
]

function findConnections(source: Source): Breach[] {
  // A type opens nothing; http.STATUS_CODES and isIP are tables.
  const harmless =
    /import type |\{\s*(?:type \w+(?:,\s*)?|isIP(?:v[46])?(?:,\s*)?|STATUS_CODES(?:,\s*)?)+\s*\}/
  return importsOf(source)
    .filter(({ path }) => /^(?:undici|(?:node:)?(?:https?|http2|net|tls|dgram))(?:\/|$)/.test(path))
    .filter(({ path, line }) => {
      const statement = source.text
        .split('\n')
        .slice(0, line + 8)
        .join('\n')
      const end = statement.lastIndexOf(path)
      return !harmless.test(statement.slice(statement.lastIndexOf('import', end), end))
    })
    .map(({ line }) => ({ file: source.file, line, rule: 'only a transport opens connections' }))
}
