// Files that pages load, all of them from this service.

import { readFile } from 'node:fs/promises'

const FOLDER = new URL('../assets/', import.meta.url)

export interface Asset {
  /** Below /portal/assets/. */
  readonly name: string
  readonly type: string
  read(): Promise<string>
}

const TYPES = {
  'portal.css': 'text/css; charset=utf-8',
  'portal.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

export const assets: readonly Asset[] = Object.entries(TYPES).map(([name, type]) => ({
  name,
  type,
  read: () => readFile(new URL(name, FOLDER), 'utf8'),
}))
