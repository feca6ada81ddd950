/** A release that cannot be made as things stand. The message says what to do; there may be several lines of it. */
export class ReleaseRefusal extends Error {
  override readonly name = 'Refused'
}
