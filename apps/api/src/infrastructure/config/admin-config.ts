// Settings of the console for operators.

import { integer, origin, setting, text } from './setting-kinds.ts'

export interface AdminConfig {
  readonly port: number
  readonly host: string
  /** An origin without a trailing slash. undefined: the console is reachable only under local names. */
  readonly url: string | undefined
}

export const ADMIN_SETTINGS = {
  ADMIN_PORT: setting(
    integer(1, 65535),
    undefined,
    'Port of the console for operators. Without it, there is no console.',
  ),
  ADMIN_HOST: setting(
    text('an address or host name'),
    '127.0.0.1',
    'Address that the console listens on. An address that other machines can reach needs ADMIN_URL.',
  ),
  ADMIN_URL: setting(
    origin,
    undefined,
    'Origin under which operators reach the console through a proxy, such as https://console.example.com. Without it, the console answers only to names of this machine. With https, its cookie is only sent over https.',
  ),
} as const

interface AdminValues {
  readonly ADMIN_PORT: number | undefined
  readonly ADMIN_HOST: string
  readonly ADMIN_URL: string | undefined
}

/** Returns undefined if there is no console. Adds a problem if the settings would open it to other machines by mistake. */
export function readAdmin(
  { ADMIN_PORT: port, ADMIN_HOST: host, ADMIN_URL: url }: AdminValues,
  problems: string[],
): AdminConfig | undefined {
  if (port === undefined) return undefined
  if (url === undefined && !isLoopback(host)) {
    problems.push(
      `ADMIN_HOST is ${JSON.stringify(host)}, which other machines can reach, but ADMIN_URL is not set. Set it to the origin that operators open, such as https://console.example.com.`,
    )
  }
  return { port, host, url }
}

/** Whether the host is a loopback name or address. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
}
