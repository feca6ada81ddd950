/** The caller asked for something that cannot be done: wrong arguments, or a file that cannot be read. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
