// The console for operators, from the settings.

import { integer, origin, setting, text } from './setting-kinds.ts'

export interface AdminConfig {
  readonly port: number
  readonly host: string
  /** An origin, without a slash at its end. undefined: only names of this machine lead to the console. */
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

/** undefined: there is no console. Adds to `problems` what would open it to other machines by mistake. */
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

/** A name or an address that leads to this machine only. */
function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)
}
