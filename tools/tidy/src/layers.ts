// Who may import whom inside apps/api/src. A folder that is not listed for another may not be imported by it.

export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  refusal: [],
  config: [],
  database: ['config'],
  credits: ['database', 'accounts', 'refusal'],
  accounts: ['database', 'credits', 'refusal'],
  traffic: ['database', 'accounts'],
  formats: ['refusal'],
  providers: ['database', 'listings', 'config', 'refusal'],
  listings: ['database', 'providers', 'refusal'],
  webhooks: ['database', 'credits', 'accounts', 'refusal', 'work', 'config'],
  work: ['database'],
  jobs: ['database', 'credits', 'accounts', 'listings', 'providers', 'webhooks', 'work', 'refusal'],
  request: [
    'accounts',
    'credits',
    'traffic',
    'formats',
    'refusal',
    'database',
    'providers',
    'house',
    'operations',
  ],
  operations: [
    'accounts',
    'credits',
    'formats',
    'listings',
    'providers',
    'database',
    'jobs',
    'webhooks',
    'refusal',
    'house',
    'request',
  ],
  serve: ['request', 'operations', 'refusal', 'house', 'config'],
  house: [
    'accounts',
    'config',
    'credits',
    'database',
    'jobs',
    'listings',
    'providers',
    'traffic',
    'webhooks',
    'work',
  ],
  command: [
    'accounts',
    'config',
    'credits',
    'database',
    'house',
    'jobs',
    'listings',
    'providers',
    'webhooks',
    'refusal',
  ],
  start: ['accounts', 'config', 'credits', 'database', 'house', 'listings', 'providers', 'serve', 'command'],
  main: ['start', 'config', 'database', 'house', 'serve'],
}

/** The folder (or file at the top) of apps/api/src that a path belongs to; undefined outside. */
export function layerOf(path: string): string | undefined {
  const found = /^apps\/api\/src\/([^/.]+)/.exec(path)?.[1]
  return found !== undefined && found in LAYERS ? found : undefined
}
