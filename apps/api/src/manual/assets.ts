import { readFile } from 'node:fs/promises'

/** The text of a file beside this one that goes to browsers as it is. */
export function readAsset(name: 'page.css' | 'text.css' | 'page.js' | 'icon.svg'): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8')
}
