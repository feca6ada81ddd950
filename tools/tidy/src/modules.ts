// The eight modules of apps/api/src, from the lowest to the highest, and the folders of each, in the same order. A module imports only
// from modules below it, and only their root files; a folder imports only from folders before it in its module. So no permission is
// kept by hand: the order is the law.
// Why: decisions/tests/eight-modules.md

export const SOURCE = 'apps/api/src/'

/** Each module with its folders; '' is the files at its root, which connect its folders or offer them to the modules above. */
export type Modules = Readonly<Record<string, readonly string[]>>

export const MODULES: Modules = {
  infrastructure: ['platform', 'config', 'database', 'processes', 'net', 'mail'],
  domain: ['formats', 'record', 'reso', 'address', 'site-urls', 'search'],
  data: [
    'sources',
    'record-cache',
    'listings',
    'rights',
    'imports',
    'ingest',
    'places',
    'replication',
    'undo',
  ],
  money: ['credits', 'accounts', 'billing', 'operator', 'limits', 'oauth'],
  work: ['events', 'idempotency', 'loop', 'jobs', 'watches', 'webhooks', 'retention'],
  requests: ['engine', 'presentation', 'operations'],
  interfaces: ['manual', 'http', 'api', 'oauth', 'portal', 'mcp', 'console', 'cli'],
  process: ['telemetry'],
}

export interface Position {
  readonly module: string
  /** '' at the root of the module. */
  readonly folder: string
}

/** Where a file of the service is. undefined: it is no file of the service. */
export function positionOf(file: string): Position | undefined {
  if (!file.startsWith(SOURCE)) return undefined
  const [module, folder, ...rest] = file.slice(SOURCE.length).split('/')
  return { module: module!, folder: rest.length === 0 ? '' : folder! }
}

/** The path of a folder, such as `apps/api/src/work/jobs/`. @throws {Error} where no module has it */
export function pathOf(folder: string, modules: Modules = MODULES): string {
  for (const [module, folders] of Object.entries(modules))
    if (folders.includes(folder)) return `${SOURCE}${module}/${folder}/`
  throw new Error(`unknown folder ${folder}: no module lists it`)
}
