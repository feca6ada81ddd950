// Who may import whom inside apps/api/src. A folder that is not listed for another may not be imported by it, and one that
// is listed must be.

/** For each folder, or file at the top, those that it may import. */
export type Layers = Readonly<Record<string, readonly string[]>>

export const LAYERS: Layers = {
  platform: [],
  config: ['platform'],
  database: ['platform', 'config'],
  processes: ['platform', 'database'],
  credits: ['platform', 'database'],
  accounts: ['platform', 'database', 'credits'],
  limits: ['platform', 'database', 'processes', 'accounts'],
  record: ['platform'],
  address: ['platform', 'record'],
  'site-urls': ['platform', 'record'],
  search: ['platform', 'record', 'address', 'site-urls'],
  sources: ['platform', 'config', 'database', 'record', 'address', 'site-urls', 'search'],
  'record-cache': ['platform', 'database', 'accounts', 'record', 'address', 'sources'],
  ingest: ['database', 'sources'],
  events: ['database'],
  work: ['database'],
  formats: [],
  jobs: [
    'platform',
    'accounts',
    'database',
    'credits',
    'record',
    'address',
    'site-urls',
    'search',
    'sources',
    'record-cache',
    'events',
    'work',
    'formats',
  ],
  webhooks: ['platform', 'config', 'database', 'events', 'work'],
  telemetry: ['platform', 'config', 'database', 'credits', 'accounts', 'record-cache', 'jobs'],
  app: [
    'platform',
    'config',
    'database',
    'credits',
    'accounts',
    'limits',
    'site-urls',
    'sources',
    'record-cache',
    'jobs',
    'webhooks',
    'telemetry',
  ],
  engine: [
    'platform',
    'database',
    'credits',
    'accounts',
    'limits',
    'sources',
    'record-cache',
    'formats',
    'app',
  ],
  operations: [
    'platform',
    'accounts',
    'credits',
    'record',
    'address',
    'site-urls',
    'search',
    'record-cache',
    'events',
    'formats',
    'jobs',
    'app',
    'engine',
  ],
  manual: [],
  http: ['platform', 'app', 'engine', 'operations', 'manual'],
  cli: ['config', 'database', 'credits', 'accounts', 'sources', 'ingest', 'jobs', 'webhooks'],
  start: ['config', 'database', 'accounts', 'limits', 'record-cache', 'ingest', 'telemetry', 'app', 'http'],
  main: ['config', 'database', 'start'],
}

/** The folder (or file at the top) of apps/api/src that a path belongs to; undefined outside. */
export function layerOf(path: string, layers: Layers): string | undefined {
  const found = /^apps\/api\/src\/([^/.]+)/.exec(path)?.[1]
  return found !== undefined && Object.hasOwn(layers, found) ? found : undefined
}
