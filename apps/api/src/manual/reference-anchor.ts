/** Where the reference shows an operation: the part of its address after the `#`. */
export function referenceAnchor(operation: {
  readonly method: string
  readonly path: string
  readonly tag: string
}): string {
  return `tag/${operation.tag.toLowerCase()}/${operation.method}${operation.path}`
}
