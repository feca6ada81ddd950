// The laws of the code that a pattern can judge, each with its check and with a plant that proves the check. Imports between folders are
// judged by layers.ts, writes to tables by table-owners.ts.

/** A pattern that may stand only in certain files. */
export interface Law {
  /** Global; it may reach over lines. */
  readonly pattern: RegExp
  readonly within: RegExp
  readonly allowed: RegExp
  readonly rule: string
  /** A file that breaks the law, and its text: the test of the code rules plants each of them and expects its report. */
  readonly plant: readonly [file: string, text: string]
}

export const LAWS: readonly Law[] = [
  {
    pattern: /process\.env\b/g,
    within: /^(?:apps|packages)\/[^/]+\/src\//,
    // Of the packages, only programs read it, each variable by its name.
    allowed:
      /^apps\/api\/src\/config\/|^packages\/mock\/src\/command\/send\.ts$|^packages\/schema-diff\/src\/document\.ts$/,
    rule: 'only config.ts reads the environment',
    plant: ['apps/api/src/jobs/a.ts', 'process.env.PORT'],
  },
  {
    // What is booked, and the columns of accounts that are sums of it.
    pattern:
      /\b(insert\s+into|update|delete\s+from)\s+(movements|usage_rows|holds)\b|\bupdate\s+accounts\b((?!\bwhere\b)[^;`])*\b(balance|held|expiring|grant_left)\s*=/gi,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/(credits\/|database\/migrations\/(0001|0002|0005|0006)_)/,
    rule: 'only the ledger moves credits',
    plant: ['apps/api/src/jobs/a.ts', 'update accounts set held = 0'],
  },
  {
    pattern: /['"`](?:fastify['"`]|@fastify\/)/g,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/(http|manual)\//,
    rule: 'only http/ and manual/ know Fastify',
    plant: ['apps/api/src/jobs/a.ts', "import type { FastifyRequest } from 'fastify'"],
  },
  {
    pattern: /test-server\.ts|src\/http\/|['"`]fastify|\bfetch\(/g,
    within: /^apps\/api\/test\/(?:engine\/|setup\/test-engine\.ts$)/,
    allowed: /^$/,
    rule: 'tests of the engine need no HTTP: call admit and perform, or move the test to test/http',
    plant: ['apps/api/test/engine/a.test.ts', 'await fetch(url)'],
  },
  {
    // A promise that is kept while it is under way, by itself or by a key. A set of running work is none: it deletes the promise.
    pattern:
      /\?\?=[^\n;]*(?:\n\s+\.[^\n;]*)*\.finally\(|const (\w+) = [^\n;=]*(?:\n\s+\.[^\n;]*)*\.finally\(\(\) => \w+\.delete\((?!\1\b)/g,
    within: /^apps\/api\/src\//,
    // It is stopped once, and never again.
    allowed: /^apps\/api\/src\/(?:platform\/single-flight|database\/embedded\/embedded-postgres)\.ts$/,
    rule: 'work that is done once for all who ask is a single-flight (platform/single-flight.ts)',
    plant: ['apps/api/src/jobs/a.ts', 'reading ??= read().finally(() => (reading = undefined))'],
  },
  {
    // Otherwise the layers cannot judge it.
    pattern: /\b(?:import|require)\((?!\s*['"]|\s*`[^`$]*`)/g,
    within: /^apps\/api\/src\/.*\.[cm]?[jt]s$/,
    // The package of the platform's binaries.
    allowed: /^apps\/api\/src\/database\/embedded\/postgres-binaries\.ts$/,
    rule: 'an import names its file',
    plant: ['apps/api/src/jobs/a.ts', 'await import(name)'],
  },
  {
    pattern: /\b(it|test|describe)\.(only|skip|todo)\b/g,
    within: /\.test\.ts$/,
    allowed: /^$/,
    rule: 'no test is left out in silence',
    plant: ['apps/api/test/jobs/a.test.ts', "it.skip('x', () => {})"],
  },
  {
    // Handlers and pages say what they need; the folder that owns the data knows how it is read.
    pattern: /\.query(?:<[^(]*>)?\(|`\s*(?:select|with|insert\s+into|update|delete\s+from)\s/gi,
    within: /^apps\/api\/src\/(?:operations|http|mcp|manual|console)\//,
    // It passes on the statements of others, with a bound on their time.
    allowed: /^apps\/api\/src\/console\/bounded-reads\.ts$/,
    rule: 'operations and interfaces have no SQL',
    plant: ['apps/api/src/operations/a.ts', "await database.query('select 1')"],
  },
  {
    pattern:
      /from '(?:node:(?:fs|net|http|https|dns|tls|child_process)[^']*|pg|undici|fastify)'|from '[^']*\/database\//g,
    within: /^apps\/api\/src\/(?:record|reso|address|site-urls|search|formats)\//,
    // The standard names and values, read once at the start.
    allowed: /^apps\/api\/src\/reso\/dictionary\.ts$/,
    rule: 'what homes and searches mean needs no file, database, or network',
    plant: ['apps/api/src/record/a.ts', "import { readFile } from 'node:fs/promises'"],
  },
  {
    pattern: /(?<![.\w])(?<!function )fetch\(/g,
    // Scripts of pages run in a browser.
    within: /^apps\/api\/src\/.*\.ts$/,
    allowed: /^$/,
    rule: 'requests go through a transport that bounds their time, size, and address: none uses the global fetch',
    plant: ['apps/api/src/jobs/a.ts', 'await fetch(url)'],
  },
  {
    pattern: /\bconsole\.(?:log|error|warn|info|debug)\(/g,
    within: /^apps\/api\/src\//,
    // A program, and the text of samples.
    allowed: /^apps\/api\/src\/(?:cli\/|manual\/code-samples\.ts$)/,
    rule: 'a service writes to its log and not to the console',
    plant: ['apps/api/src/jobs/a.ts', 'console.log(key)'],
  },
  {
    pattern:
      /\b(?:settle_calls|place_hold|grow_hold|close_hold|adjust_credits|top_up|renew_if_due)\s*\(/g,
    within: /^apps\/api\/src\/.*\.ts$/,
    allowed: /^apps\/api\/src\/credits\//,
    rule: 'only credits/ calls the functions of the ledger',
    plant: ['apps/api/src/jobs/a.ts', "'select settle_calls($1)'"],
  },
  {
    // What it answers is a promise, which is true, has no order, and is waited for by none.
    pattern: /\.(?:filter|some|every|find|findIndex|findLast|forEach|sort|toSorted)\(\s*async\b/g,
    within: /^(?:apps|packages)\/[^/]+\/src\//,
    allowed: /^$/,
    rule: 'a callback whose result is used at once is not async',
    plant: ['apps/api/src/jobs/a.ts', 'rows.filter(async (row) => isLive(row))'],
  },
  {
    // A loop that counts its attempts, and what a loop pauses with.
    pattern:
      /\bfor \(let (?:attempts?|tries|times|retr\w+) =|\b(?:for|while) \([^\n]*\bawait (?:sleep|pause)\(|\bsetTimeout\b[^\n]*from 'node:timers\/promises'|=> setTimeout\(resolve\b/g,
    within: /^apps\/api\/src\//,
    // Those that wait for one thing, once.
    allowed:
      /^apps\/api\/src\/(?:platform\/(?:retry|gather)|database\/embedded\/postmaster|database\/pool\/connections|http\/close-server|oauth\/external-issuer)\.ts$/,
    rule: 'work that is tried again is in retry or poll (platform/retry.ts), which bound it',
    plant: ['apps/api/src/jobs/a.ts', 'for (let attempt = 1; ; attempt++) await work()'],
  },
]
