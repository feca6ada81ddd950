import type { ErrorCode } from './generated/errors.ts'

/** Where the manual that a service serves explains an error code: a path on the host of the service. */
export function errorDocUrl(code: ErrorCode): string {
  return `/docs/errors#${code}`
}
