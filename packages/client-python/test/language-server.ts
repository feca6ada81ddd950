// What an editor shows: the language servers of pyright (also in Pylance) and of basedpyright, asked over their protocol.

import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

export type ServerName = 'pyright' | 'basedpyright'

export interface CursorPosition {
  readonly line: number
  readonly character: number
}

export interface LanguageServer {
  /** The text that an editor shows when the pointer is on a name. */
  hover(at: CursorPosition): Promise<string>
  /** An offer of the editor: its type, and the text that is shown beside it. */
  complete(at: CursorPosition, label: string): Promise<{ readonly detail: string; readonly text: string }>
  close(): void
}

/** Opens `text` as a file of the project in `root`. */
export async function openInEditor(name: ServerName, root: string, text: string): Promise<LanguageServer> {
  const manifest = fileURLToPath(import.meta.resolve(`${name}/package.json`))
  const program = manifest.replace('package.json', 'langserver.index.js')
  const child = spawn(process.execPath, [program, '--stdio'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let received = Buffer.alloc(0)
  let count = 0

  const send = (message: object) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    child.stdin.write(body)
  }
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      count++
      waiting.set(count, { resolve, reject })
      send({ id: count, method, params })
    })

  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf('\r\n\r\n')
      const length = Number(
        /Content-Length: (\d+)/.exec(received.subarray(0, Math.max(0, end)).toString())?.[1],
      )
      if (end < 0 || received.length < end + 4 + length) return
      const message = JSON.parse(received.subarray(end + 4, end + 4 + length).toString())
      received = received.subarray(end + 4 + length)
      // A question of the server: no settings, and nothing to register.
      if (message.method && message.id !== undefined)
        send({ id: message.id, result: message.method === 'workspace/configuration' ? [{}] : null })
      else if (message.error) waiting.get(message.id)?.reject(new Error(message.error.message))
      else waiting.get(message.id)?.resolve(message.result)
    }
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The language server has ended.'))
  })

  const rootUri = pathToFileURL(root).href
  const uri = new URL('tests/opened.py', `${rootUri.replace(/\/?$/, '/')}`).href
  await ask('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'lotline' }],
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['plaintext'] },
        completion: { completionItem: { documentationFormat: ['plaintext'] } },
      },
    },
  })
  send({ method: 'initialized', params: {} })
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'python', version: 1, text } },
  })
  return {
    async hover(position) {
      const found = (await ask('textDocument/hover', { textDocument: { uri }, position })) as {
        contents: { value: string }
      } | null
      return found?.contents.value ?? ''
    },
    async complete(position, label) {
      const found = (await ask('textDocument/completion', { textDocument: { uri }, position })) as {
        items: { label: string }[]
      }
      const item = found.items.find((one) => one.label === label)
      if (!item)
        throw new Error(`Not offered: ${label}. Offered: ${found.items.map((one) => one.label).slice(0, 20)}`)
      const { detail = '', documentation } = (await ask('completionItem/resolve', item)) as {
        detail?: string
        documentation?: { value: string }
      }
      return { detail, text: documentation?.value ?? '' }
    },
    close() {
      child.kill()
    },
  }
}
