/** Where a webhook is sent: any http or https URL without a user name. @throws RangeError with what is wrong */
export function parseTarget(to: string | URL): URL {
  const text = String(to)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new RangeError(`${text} is not a URL. Use one that begins with http:// or https://.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('The URL of a webhook must not contain a user name or a password. Remove them.')
  }
  return url
}
