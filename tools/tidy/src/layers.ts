// Who may import whom inside apps/api/src. A folder that is not listed for another may not be imported by it, and one that
// is listed must be.

/** For each folder, or file at the top, those that it may import. */
export type Layers = Readonly<Record<string, readonly string[]>>

export const LAYERS: Layers = {
  refusal: [],
  observer: [],
  config: [],
  database: ['config'],
  credits: ['database', 'observer'],
  accounts: ['database', 'credits'],
  traffic: ['database', 'accounts'],
  formats: [],
  providers: ['database', 'listings', 'config', 'observer'],
  listings: ['refusal'],
  records: ['database', 'providers', 'listings', 'observer'],
  webhooks: ['database', 'refusal', 'work', 'config', 'observer'],
  work: ['database'],
  jobs: [
    'database',
    'credits',
    'formats',
    'listings',
    'providers',
    'records',
    'webhooks',
    'work',
    'refusal',
    'observer',
  ],
  metrics: ['config', 'credits', 'database', 'observer'],
  tracing: ['config', 'observer'],
  engine: ['accounts', 'credits', 'traffic', 'formats', 'refusal', 'database', 'providers', 'house'],
  operations: ['credits', 'formats', 'listings', 'records', 'jobs', 'webhooks', 'refusal', 'house', 'engine'],
  serve: [],
  http: ['engine', 'operations', 'refusal', 'house', 'observer', 'serve'],
  house: [
    'accounts',
    'config',
    'credits',
    'database',
    'jobs',
    'listings',
    'metrics',
    'observer',
    'providers',
    'records',
    'traffic',
    'webhooks',
  ],
  command: ['accounts', 'config', 'credits', 'database', 'jobs', 'providers', 'webhooks'],
  start: ['accounts', 'config', 'database', 'house', 'providers', 'records', 'http', 'traffic', 'tracing'],
  main: ['start', 'config', 'database'],
}

/** The folder (or file at the top) of apps/api/src that a path belongs to; undefined outside. */
export function layerOf(path: string, layers: Layers): string | undefined {
  const found = /^apps\/api\/src\/([^/.]+)/.exec(path)?.[1]
  return found !== undefined && Object.hasOwn(layers, found) ? found : undefined
}
