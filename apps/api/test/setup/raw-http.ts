// Sends raw HTTP that no client library would send. Responses that reach an operation are checked against the contract like all
// others.

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkAnswer } from './contract-check.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly code: string | undefined
}

/** A piece that waits until the server has sent more. */
export const UNTIL_ANSWERED = Symbol('until answered')

/** A number is a wait in milliseconds. */
export type Piece = string | Buffer | number | typeof UNTIL_ANSWERED

/**
 * Sends the pieces one after the other, then waits until the server closes the connection: ask it to with
 * `Connection: close` where it would not by itself.
 */
export async function exchange(port: number, pieces: readonly Piece[]): Promise<RawAnswer[]> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.setNoDelay(true)
  const received: Buffer[] = []
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  const closed = new Promise<void>((resolve) => {
    // Data before a reset counts too.
    socket.on('error', () => {})
    socket.once('close', () => resolve())
  })
  for (const piece of pieces) {
    if (piece === UNTIL_ANSWERED) await Promise.race([once(socket, 'data'), closed])
    else if (typeof piece === 'number') await sleep(piece)
    else if (socket.writable) socket.write(piece)
  }
  await closed
  return readAnswers(Buffer.concat(received))
}

/** The only response, checked against the contract for `method` and `url`. */
export async function exchangeOne(
  port: number,
  pieces: readonly Piece[],
  asked: { method: string; url: string },
): Promise<RawAnswer> {
  const [answer, ...more] = await exchange(port, pieces)
  if (!answer || more.length > 0) throw new Error(`${answer ? more.length + 1 : 0} answers where one was due`)
  checkAnswer({ ...asked, ...answer })
  return answer
}

/** The head of a request, with its empty line. */
export function head(method: string, url: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`not an HTTP answer: ${rest.toString()}`)
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = new Headers(lines.map((line) => splitOnce(line, ':')))
    const { body, length } = readBody(rest.subarray(end + 4), headers)
    rest = rest.subarray(end + 4 + length)
    const status = Number(statusLine.split(' ')[1])
    const isJson = headers.get('content-type')?.startsWith('application/json')
    const text = body.toString()
    answers.push({
      status,
      headers,
      text,
      code: isJson && text !== '' ? JSON.parse(text).error?.code : undefined,
    })
  }
  return answers
}

function readBody(bytes: Buffer, headers: Headers): { body: Buffer; length: number } {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? 0)
    return { body: bytes.subarray(0, length), length }
  }
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
    if (size === 0) return { body: Buffer.concat(chunks), length: at }
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + 1).trim()]
}
