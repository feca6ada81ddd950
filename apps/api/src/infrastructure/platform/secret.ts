import { inspect } from 'node:util'

const REDACTED = '[secret]'

/** A value that no log, error or JSON shows: only `reveal()` gives it out. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The value itself. Call it where the value is used, and keep the result in no object. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  [inspect.custom](): string {
    return REDACTED
  }
}
