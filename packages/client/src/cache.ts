// Responses that are kept with their tags (ETag), so that a repeated call costs nothing while its data is the same.

/** A response that was kept. */
export interface KeptResponse {
  /** The header ETag. */
  readonly tag: string
  /** The JSON of the body. */
  readonly body: string
}

/** Where responses are kept. The keys hold no API key, but the tags are worth something to the account alone. */
export interface ResponseCache {
  get(key: string): KeptResponse | undefined | Promise<KeptResponse | undefined>
  set(key: string, response: KeptResponse): void | Promise<void>
}

/** Keeps the responses that were used last in the memory of this process. */
export class MemoryCache implements ResponseCache {
  readonly #kept = new Map<string, KeptResponse>()
  readonly #maxEntries: number

  /** @param maxEntries responses to keep at most; a record has about 20 kB */
  constructor({ maxEntries = 1_000 }: { readonly maxEntries?: number } = {}) {
    if (!(Number.isSafeInteger(maxEntries) && maxEntries > 0))
      throw new RangeError(`maxEntries is a whole number above 0, not ${maxEntries}.`)
    this.#maxEntries = maxEntries
  }

  get(key: string): KeptResponse | undefined {
    const kept = this.#kept.get(key)
    if (kept) {
      // A Map has the order of insertion: what was used last goes to the end.
      this.#kept.delete(key)
      this.#kept.set(key, kept)
    }
    return kept
  }

  set(key: string, response: KeptResponse): void {
    this.#kept.delete(key)
    this.#kept.set(key, response)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxEntries) break
      this.#kept.delete(oldest)
    }
  }
}
