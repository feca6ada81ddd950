import { readFile } from 'node:fs/promises'

const CSS = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'

/** Files beside this one that go to browsers as they are, with their types. */
export const ASSETS = {
  'header.css': CSS,
  'page.css': CSS,
  'text.css': CSS,
  'reference.css': CSS,
  'page.js': SCRIPT,
  'search.js': SCRIPT,
  'reference.js': SCRIPT,
  'icon.svg': 'image/svg+xml',
} as const

export function readAsset(name: keyof typeof ASSETS): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8')
}

/** The library of the search, as a module for browsers. */
export function readSearchLibrary(): Promise<string> {
  return readFile(new URL(import.meta.resolve('minisearch')), 'utf8')
}
