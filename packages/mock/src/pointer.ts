/** A JSON pointer as a URI fragment. */
export function pointer(...steps: readonly (string | number)[]): string {
  const escaped = steps.map((step) =>
    encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  return `#/${escaped.join('/')}`
}
